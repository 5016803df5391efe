// The authorization code grant with proof key (RFC 7636): the same parties, the same thief, and a secret that only the app knows. The thief still
// gets the code, but no token for it.
protocol OAuthPkce
use "oauth_code.pact" as grant (Pkce = 1)

property no_theft   expect true = AG !grant.thief_has
property it_works   expect true = EF grant.app_has
property app_knows  expect true = AG (grant.app_has -> K(grant.App, !grant.thief_has))
property code_leaks expect true = EF grant.Eavesdropper in copied
property works_now  expect true = AG (grant.granted -> AF grant.app_has)

scenario interception expect impossible { ...; grant.Thief -> grant.Server: grant.redeem(_); grant.Server -> grant.Thief: grant.token; ... }
