require_relative 'receiver'

run Receiver
