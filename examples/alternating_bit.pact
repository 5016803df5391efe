// The alternating bit protocol: values go from Sender to Receiver over lines that lose messages. Each value is sent again and again with
// a bit until that bit comes back; then the bit changes. Nothing is lost, doubled or out of order
// (Bartlett, Scantlebury, Wilkinson 1969), and it goes on as long as the lines do not lose everything.
protocol AlternatingBit
param Last = 3
roles Sender, Receiver, Observer
type Value = 0..Last
type Bit = 0..1

message data(bit : Bit, value : Value)
message ack(bit : Bit)
message deliver(Value)
channel forward from Sender to Receiver of capacity 3 lossy carries data
channel back from Receiver to Sender of capacity 3 lossy carries ack

private var value of Sender : Value = 0
private var sbit of Sender : Bit = 0    // goes with the value
private var rbit of Receiver : Bit = 0  // the next one wanted
private var got of Receiver : Value = 0
private var pending of Observer : bool = false  // a value has been taken and not delivered: neither side sees this

machine Out of Sender {
  start idle
  idle    -- Sender: take                              set value in 0..Last, pending = true --> sending
  sending -- Sender: data!(sbit, value)                                                     --> sending
  sending -- Sender: ack?(b)            when b = sbit  set sbit = 1 - sbit                  --> idle
  sending -- Sender: ack?(b)            when b != sbit                                      --> sending
  idle    -- Sender: ack?(_)                                                                --> idle
}
machine In of Receiver {
  start ready
  ready  -- Receiver: data?(b, v)    when b = rbit  set got = v                          --> new
  ready  -- Receiver: data?(b, _)    when b != rbit                                      --> answer  // an old one: its answer was lost
  new    -- Receiver: deliver(got)                  set pending = false, rbit = 1 - rbit --> answer
  answer -- Receiver: ack!(1 - rbit)                                                     --> ready
}

// The lines do not lose every message, and both sides go on.
fair strong does(Receiver.data?)
fair strong does(Sender.ack?)
fair weak does(data)
fair weak does(ack)
fair weak does(deliver)
fair weak does(take)

property right_value     expect true  = AG all v in 0..Last : does(deliver(v)) -> pending & value = v
property no_value_twice  expect true  = AG (does(deliver) -> X (!does(deliver) W does(take)))
property none_overtaken  expect true  = AG (does(take) -> !pending)
property delivered       expect true  = AG (pending -> AF !pending)
property goes_on         expect true  = AG AF does(take)
property sender_knows    expect true  = AG (Out in idle -> K(Sender, !pending))
property receiver_learns expect true  = AG (In in new -> K(Receiver, pending))
property at_first_try    expect false = AG (does(data) -> A[!does(data) U does(deliver)])
property lines_fill_up   expect true  = EF (forward.length = 3 & back.length = 3)

scenario lost_and_sent_again                   { take; data(0, 2); forward: lose; data(0, 2); data?(0, 2); deliver(2); ... }
scenario delivered_twice     expect impossible { ...; deliver(_); data?(_, _); deliver(_); ... }
