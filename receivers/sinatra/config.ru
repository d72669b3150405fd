# frozen_string_literal: true

require 'cgi'
require 'fileutils'
require 'json'
require 'openssl'
require 'rack/utils'
require 'securerandom'
require 'sinatra/base'

$stdout.sync = true

# Receives webhooks with Sinatra.
class Receiver < Sinatra::Base
  abort 'Set WEBHOOK_SECRET to the secret of the webhook.' if ENV['WEBHOOK_SECRET'].to_s.empty?

  SECRETS = ENV.values_at('WEBHOOK_SECRET', 'PREVIOUS_WEBHOOK_SECRET').compact.reject(&:empty?).freeze

  # The service sends no larger ones.
  MAX_BODY_BYTES = 262_144

  INBOX = ENV.fetch('INBOX', 'inbox')
  FileUtils.mkdir_p(INBOX)

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

    if store(delivery['id'], body)
      Thread.new { work_on(delivery) } # Runs beside the answer.
    else
      puts "duplicate #{delivery['id']}"
    end
    204
  rescue SystemCallError => e
    warn "The delivery was not stored: #{e.message}"
    504 # The service sends it again.
  end

  # Keeps a delivery in a file of its own, which appears with all its bytes. Whether it is new:
  # every attempt has the same id. In production, use your database or a durable queue.
  def store(id, body)
    draft = File.join(INBOX, "draft-#{SecureRandom.uuid}")
    File.binwrite(draft, body)
    File.link(draft, File.join(INBOX, "#{CGI.escape(id)}.json"))
    true
  rescue Errno::EEXIST
    false
  ensure
    FileUtils.rm_f(draft)
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
