#pragma once

namespace et::core {

/// An EventTracer that is one of these, too, wants no more than times: instructions may be computed together,
/// part by part, and their events come when all are done, each with its part of the time. Others hear of each
/// instruction as soon as it is done, with its result in memory.
class TakesFusedEvents {
  public:
    TakesFusedEvents() = default;
    TakesFusedEvents(const TakesFusedEvents&) = default;
    TakesFusedEvents& operator=(const TakesFusedEvents&) = default;

  protected:
    ~TakesFusedEvents() = default;
};

}  // namespace et::core
