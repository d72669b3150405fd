# frozen_string_literal: true

require 'json'
require 'openssl'
require 'rack/utils'
require 'sinatra/base'

$stdout.sync = true

# Receives webhooks with Sinatra.
class Receiver < Sinatra::Base
  abort 'Set WEBHOOK_SECRET to the secret of the webhook.' if ENV['WEBHOOK_SECRET'].to_s.empty?

  SECRETS = ENV.values_at('WEBHOOK_SECRET', 'PREVIOUS_WEBHOOK_SECRET').compact.reject(&:empty?).freeze

  # The service sends no larger ones.
  MAX_BODY_BYTES = 262_144

  # Remembers the latest 10,000 ids.
  class RecentIds
    def initialize
      @mutex = Mutex.new
      @ids = {}
    end

    # Whether the id is new.
    def add?(id)
      @mutex.synchronize do
        return false if @ids.key?(id)

        @ids[id] = true
        @ids.shift if @ids.size > 10_000
        true
      end
    end
  end

  SEEN = RecentIds.new

  post '/hooks' do
    # The raw body. Verify these bytes: JSON that was parsed and generated again differs.
    body = request.body.read(MAX_BODY_BYTES + 1).to_s
    halt 413, 'The body is too large.' if body.bytesize > MAX_BODY_BYTES

    unless signed?(body, request.get_header('HTTP_X_SERVICE_SIGNATURE').to_s)
      puts 'refused'
      halt 401, 'The signature is wrong.'
    end

    delivery = parse(body)
    halt 400, 'The body is not a delivery.' if delivery.nil?

    # In production, insert the id into a table with a unique key instead.
    if SEEN.add?(delivery['id'])
      # Runs beside the answer. In production, give the delivery to a durable queue instead.
      Thread.new { work_on(delivery) }
    else
      puts "duplicate #{delivery['id']}"
    end
    204
  end

  # Compares in constant time. The key is the whole secret, with "whsec_".
  def signed?(body, signature)
    SECRETS.any? do |secret|
      expected = OpenSSL::HMAC.hexdigest('SHA256', secret, body)
      Rack::Utils.secure_compare(expected, signature)
    end
  end

  def parse(body)
    delivery = JSON.parse(body)
    delivery if delivery.is_a?(Hash) && delivery['id'].is_a?(String)
  rescue JSON::ParserError
    nil
  end

  def work_on(delivery)
    puts "accepted #{delivery['id']} #{delivery['action']}"
  end
end

run Receiver
