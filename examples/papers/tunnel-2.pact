protocol Tunnel
roles Train1, Train2, Controller
private var light of Controller : {green, red} = green
private var t1 of Train1 : {away, waiting, tunnel} = away
private var t2 of Train2 : {away, waiting, tunnel} = away
start run
run -- Train1: a1 when t1 = away                    set t1 = waiting             --> run
run -- Train1: a2 when t1 = waiting & light = green set t1 = tunnel, light = red --> run
run -- Train1: a3 when t1 = tunnel & light = red    set t1 = away, light = green --> run
prop in_tunnel1 = t1 = tunnel
run -- Train2: a4 when t2 = away                    set t2 = waiting             --> run
run -- Train2: a5 when t2 = waiting & light = green set t2 = tunnel, light = red --> run
run -- Train2: a6 when t2 = tunnel & light = red    set t2 = away, light = green --> run
prop in_tunnel2 = t2 = tunnel
prop init       = t1 = away & t2 = away & light = green
property alpha0    expect false = !AX !in_tunnel1
property alpha1    expect true  = AG (in_tunnel1 -> K(Train1, !in_tunnel2))
property alpha2    expect true  = AG (!in_tunnel1 -> !K(Train1, in_tunnel2) & !K(Train1, !in_tunnel2))
property reachable expect true  = AG !AH !init
