#pragma once

#include "etdump/trace.h"

#include <cstdint>
#include <cstdlib>

namespace et::test {

/// Reads every byte that an accepted trace exposes and aborts if its columns are inconsistent; used by the
/// fuzzer and by tests of damaged files. Returns a checksum, so that no read is optimized away.
class TraceToucher {
  public:
    explicit TraceToucher(const etdump::Trace& trace) : t(trace) {}

    std::uint64_t touch() {
        etdump::EventIndex next = 0;
        for (const etdump::Run& run : t.runs()) {
            require(run.firstEvent == next);
            next += run.eventCount;
            add(run.name);
            for (const etdump::NameId allocator : run.allocators) {
                add(allocator);
            }
        }
        require(next == t.eventCount());
        for (etdump::EventIndex event = 0; event < t.eventCount(); ++event) {
            addEvent(event);
        }
        return sum;
    }

  private:
    static void require(bool condition) {
        if (!condition) {
            std::abort();
        }
    }
    void add(std::uint64_t value) { sum = sum * 31 + value; }
    void add(etdump::NameId id) {
        require(id == etdump::noName || id.value < t.nameCount());
        for (const char c : t.text(id)) {
            add(static_cast<unsigned char>(c));
        }
    }
    void add(const etdump::DebugTensor& tensor) {
        for (const auto* numbers : {&tensor.sizes, &tensor.strides}) {
            for (const std::int64_t number : *numbers) {
                add(static_cast<std::uint64_t>(number));
            }
        }
    }
    void add(const etdump::DebugValue& value) {
        add(value.value.index());
        if (const auto* text = std::get_if<std::string_view>(&value.value)) {
            for (const char c : *text) {
                add(static_cast<unsigned char>(c));
            }
        } else if (const auto* tensor = std::get_if<etdump::DebugTensor>(&value.value)) {
            add(*tensor);
        } else if (const auto* tensors = std::get_if<std::vector<etdump::DebugTensor>>(&value.value)) {
            for (const etdump::DebugTensor& element : *tensors) {
                add(element);
            }
        }
    }
    void addEvent(etdump::EventIndex event) {
        const etdump::EventColumns& events = t.events();
        add(events.name[event]);
        add(events.delegateString[event]);
        add(events.start[event]);
        add(events.end[event]);
        for (const std::byte byte : t.metadata(event)) {
            add(static_cast<std::uint64_t>(byte));
        }
        if (events.kind[event] == etdump::EventKind::Debug) {
            add(t.debugValue(event));
        }
    }

    const etdump::Trace& t;
    std::uint64_t sum = 0;
};

}  // namespace et::test
