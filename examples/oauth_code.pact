// The authorization code grant of OAuth 2 (RFC 6749) for an app that can keep no secret: the server sends a code to the app, the app redeems it
// for a token. A thief who gets hold of the code (RFC 8252 says how) redeems it as well. With `--param Pkce=1` the app
// says in advance what it will have to know (RFC 7636), and the code alone is worth nothing (oauth_pkce.pact).
protocol OAuthCode
param Pkce = 0
roles User, App, Server, Thief
type Secret = 0..2  // 0: none, 1: the app's, 2: what a thief may guess

message authorize(challenge : Secret)
message redeem(verifier : Secret)
private var verifier of App : Secret = Pkce
private var challenge of Server : Secret = 0
private var granted of Server, User : bool = false
private var app_has of App : bool = false
private var thief_has of Thief : bool = false

commitment access = SC(Server, App, F (app_has | thief_has))

machine Client of App {
  start idle
  idle    -- App -> Server: authorize!(verifier)                    --> asked
  asked   -- App: code?                                             --> ready
  ready   -- App -> Server: redeem!(verifier)                       --> waiting
  waiting -- App: token?                         set app_has = true --> over
  waiting -- App: refuse?                                           --> over
  final idle, asked, over
}
machine Authority of Server {
  start open
  open      -- Server: authorize?(c)                           set challenge = c  --> asking
  asking    -- User -> Server: consent                         set granted = true --> agreed
  asking    -- User -> Server: deny                                               --> shut
  agreed    -- Cr(Server, access)                                                 --> owing
  owing     -- Server: code!                                                      --> issued  // to whoever is registered for it
  issued    -- App -> Server: redeem?(v)   when v = challenge                     --> for_app
  issued    -- Thief -> Server: redeem?(v) when v = challenge                     --> for_thief
  issued    -- Thief -> Server: redeem?(v) when v != challenge                    --> not_thief
  for_app   -- Server -> App: token!                                              --> spent
  for_thief -- Server -> Thief: token!                                            --> spent
  not_thief -- Server -> Thief: refuse!                                           --> issued
  spent     -- App -> Server: redeem?(_)                                          --> late
  late      -- Server -> App: refuse!                                             --> spent
  final open, shut, issued, spent
}
machine Eavesdropper of Thief {
  start lurking
  lurking -- Thief: code?                                     --> holding
  holding -- Thief -> App: code!                              --> copied  // so that nobody notices
  copied  -- Thief -> Server: redeem!(0)                      --> waiting
  copied  -- Thief -> Server: redeem!(2)                      --> waiting
  waiting -- Thief: token?               set thief_has = true --> rich
  waiting -- Thief: refuse?                                   --> caught
  final lurking, rich, caught
}

property no_theft       expect false = AG !thief_has
property it_works       expect true  = EF app_has
property access_is_owed expect true  = AG (Authority in issued -> SC(Server, App, F (app_has | thief_has)))
property by_consent     expect true  = AG (app_has | thief_has -> granted)
property one_token      expect true  = AG !(app_has & thief_has)
property user_cant_tell expect true  = AG (thief_has -> !K(User, thief_has))
property app_can_tell   expect true  = AG (thief_has & Client in over -> K(App, !app_has))
property always_works   expect false = AG (granted -> AF app_has)

scenario interception { App -> Server: authorize(_); consent; Cr(_, _); code; Thief -> App: code; Thief -> Server: redeem(0); Server -> Thief: token }
