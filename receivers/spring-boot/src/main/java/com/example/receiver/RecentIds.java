package com.example.receiver;

import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Remembers the latest 10,000 ids. */
@Component
class RecentIds {
  private final Map<String, Boolean> ids = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
      return size() > 10_000;
    }
  };

  /** Whether the id is new. */
  synchronized boolean add(String id) {
    return ids.putIfAbsent(id, true) == null;
  }
}
