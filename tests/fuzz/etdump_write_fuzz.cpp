// Fuzzes TraceWriter: the reader must find the same events and texts in the same order.
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/support/touch_trace.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

using et::fuzz::ByteSource;
using et::fuzz::require;
namespace etdump = et::etdump;

/// An event as it was written.
struct Written {
    etdump::EventKind kind;
    std::string name;
    etdump::EventIds ids;
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::vector<std::byte> metadata;
    etdump::DebugValue value;
};

struct WrittenRun {
    std::string name;
    std::int32_t bundledInputIndex = -1;
    std::vector<std::string> allocators;
    std::vector<Written> events;
};

etdump::DebugTensor tensorOf(ByteSource& source) {
    etdump::DebugTensor tensor{.scalarType = source.take<std::int8_t>(),
                               .sizes = {},
                               .strides = {},
                               .offset = source.take<std::int64_t>()};
    for (std::size_t dims = source.below(5); dims > 0; --dims) {
        tensor.sizes.push_back(source.take<std::int32_t>());
        tensor.strides.push_back(source.take<std::int32_t>());
    }
    return tensor;
}

etdump::DebugValue valueOf(ByteSource& source) {
    etdump::DebugValue value{.value = {}, .programOutput = source.oneIn(4)};
    switch (source.below(7)) {
        case 0:
            value.value = source.take<std::int64_t>();
            break;
        case 1:
            value.value = source.oneIn(2);
            break;
        case 2:
            value.value = static_cast<double>(source.take<std::int32_t>()) / 8;
            break;
        case 3:
            value.value = tensorOf(source);
            break;
        case 4: {
            std::vector<etdump::DebugTensor> list(source.below(4));
            std::ranges::generate(list, [&] { return tensorOf(source); });
            value.value = std::move(list);
            break;
        }
        default:
            break;
    }
    return value;
}

bool equal(const etdump::DebugTensor& left, const etdump::DebugTensor& right) {
    return left.scalarType == right.scalarType && left.sizes == right.sizes &&
           left.strides == right.strides && left.offset == right.offset;
}

bool equal(const etdump::DebugValue& left, const etdump::DebugValue& right) {
    if (left.programOutput != right.programOutput || left.value.index() != right.value.index()) {
        return false;
    }
    return std::visit(
        [&]<class T>(const T& value) {
            const T& other = std::get<T>(right.value);
            if constexpr (std::is_same_v<T, etdump::DebugTensor>) {
                return equal(value, other);
            } else if constexpr (std::is_same_v<T, std::vector<etdump::DebugTensor>>) {
                return std::ranges::equal(value, other,
                                          [](const auto& a, const auto& b) { return equal(a, b); });
            } else {
                return value == other;
            }
        },
        left.value);
}

/// Writes events derived from the bytes, and keeps them for comparison.
class Scribe {
  public:
    explicit Scribe(ByteSource& from)
        : source(from), writer(from.oneIn(2) ? etdump::SharedStrings::Yes : etdump::SharedStrings::No) {}

    std::vector<WrittenRun> write() {
        while (!source.empty() && runs.size() < 50) {
            if (runs.empty() || source.oneIn(8)) {
                beginRun();
            } else if (source.oneIn(8)) {
                allocate();
            } else {
                addEvent();
            }
        }
        return std::move(runs);
    }
    std::vector<std::byte> finish() {
        auto file = writer.finish();
        require(file.has_value());
        return *std::move(file);
    }

  private:
    void beginRun() {
        WrittenRun run{.name = std::string(source.text(8)),
                       .bundledInputIndex = source.take<std::int32_t>(),
                       .allocators = {},
                       .events = {}};
        writer.beginRun(run.name, run.bundledInputIndex);
        runs.push_back(std::move(run));
    }
    void allocate() {
        WrittenRun& run = runs.back();
        if (run.allocators.empty() || source.oneIn(3)) {
            run.allocators.emplace_back(source.text(8));
            require(writer.addAllocator(run.allocators.back()) == run.allocators.size());
        }
        Written event{.kind = etdump::EventKind::Allocation,
                      .name = {},
                      .ids = {},
                      .start = 1 + source.below(run.allocators.size()),
                      .end = source.take<std::uint64_t>(),
                      .metadata = {},
                      .value = {}};
        writer.allocation(static_cast<std::uint32_t>(event.start), event.end);
        run.events.push_back(std::move(event));
    }
    void addEvent() {
        Written event{.kind = source.oneIn(3) ? etdump::EventKind::Debug : etdump::EventKind::Profile,
                      .name = std::string(source.text(12)),
                      .ids = {.instruction = source.take<std::int32_t>(),
                              .chain = source.take<std::int16_t>(),
                              .delegateInt = source.take<std::int32_t>(),
                              .delegateString = source.text(6)},
                      .start = 0,
                      .end = 0,
                      .metadata = {},
                      .value = {}};
        // With text identifiers or with the texts themselves.
        const bool byText = source.oneIn(2);
        const etdump::WrittenIds written{
            .instruction = event.ids.instruction,
            .chain = event.ids.chain,
            .delegateInt = event.ids.delegateInt,
            .delegateString = byText ? etdump::TextId{} : writer.text(event.ids.delegateString)};
        if (event.kind == etdump::EventKind::Debug) {
            event.value = valueOf(source);
            byText ? writer.debug(event.name, event.ids, event.value)
                   : writer.debug(writer.text(event.name), written, event.value);
        } else {
            event.start = source.take<std::uint64_t>();
            event.end = source.take<std::uint64_t>();
            const auto bytes = source.bytesOf(source.below(8));
            event.metadata.assign(bytes.begin(), bytes.end());
            byText ? writer.profile(event.name, event.ids, event.start, event.end, event.metadata)
                   : writer.profile(writer.text(event.name), written, event.start, event.end, event.metadata);
        }
        runs.back().events.push_back(std::move(event));
    }

    ByteSource& source;
    etdump::TraceWriter writer;
    std::vector<WrittenRun> runs;
};

void check(const etdump::Trace& trace, etdump::EventIndex index, const Written& event) {
    const etdump::EventColumns& events = trace.events();
    require(events.kind[index] == event.kind);
    if (event.kind != etdump::EventKind::Debug) {
        require(events.start[index] == event.start && events.end[index] == event.end);
    }
    if (event.kind == etdump::EventKind::Allocation) {
        return;
    }
    require(trace.text(events.name[index]) == event.name);
    require(events.instruction[index] == event.ids.instruction && events.chain[index] == event.ids.chain &&
            events.delegateInt[index] == event.ids.delegateInt);
    require(trace.text(events.delegateString[index]) == event.ids.delegateString);
    require(std::ranges::equal(trace.metadata(index), event.metadata));
    require(event.kind != etdump::EventKind::Debug || equal(event.value, trace.debugValue(index)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ByteSource source(data, size);
    Scribe scribe(source);
    const std::vector<WrittenRun> runs = scribe.write();
    const auto trace = etdump::Trace::parse(et::core::MappedFile::fromMemory(scribe.finish()));
    require(trace && (*trace)->runs().size() == runs.size());
    et::test::TraceToucher(**trace).touch();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const etdump::Run& run = (*trace)->runs()[i];
        require((*trace)->text(run.name) == runs[i].name &&
                run.bundledInputIndex == runs[i].bundledInputIndex);
        require(run.eventCount == runs[i].events.size() &&
                run.allocators.size() == runs[i].allocators.size());
        for (etdump::EventIndex event = 0; event < run.eventCount; ++event) {
            check(**trace, run.firstEvent + event, runs[i].events[event]);
        }
    }
    return 0;
}
