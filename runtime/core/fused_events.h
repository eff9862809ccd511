#pragma once

namespace et::core {

/// Implemented by an EventTracer that needs only times. Instructions may then be fused and computed in
/// blocks; their events are reported once all are done, each with its share of the time. Other tracers
/// receive the event of each instruction as soon as it is done, with its result in memory.
class TakesFusedEvents {
  public:
    TakesFusedEvents() = default;
    TakesFusedEvents(const TakesFusedEvents&) = default;
    TakesFusedEvents& operator=(const TakesFusedEvents&) = default;

  protected:
    ~TakesFusedEvents() = default;
};

}  // namespace et::core
