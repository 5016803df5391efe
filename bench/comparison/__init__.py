"""What `bench/compare` is made of: families of models, who is asked about them, how that is measured, and the tables of what came out."""
