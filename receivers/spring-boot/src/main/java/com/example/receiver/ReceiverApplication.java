package com.example.receiver;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class ReceiverApplication {
  public static void main(String[] args) {
    String secret = System.getenv("WEBHOOK_SECRET");
    if (secret == null || secret.isEmpty()) {
      System.err.println("Set WEBHOOK_SECRET to the secret of the webhook.");
      System.exit(1);
    }
    SpringApplication.run(ReceiverApplication.class, args);
  }
}
