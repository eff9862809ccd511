#include "etdump/writer.h"

#include "etdump/detail/debug_value.h"
#include "etdump/schema/etdump_generated.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

namespace et::etdump {
namespace {

/// Where writing stops, below the 2 GiB that flatbuffers can address: one more event, the lists of offsets
/// and the root still fit behind it.
constexpr std::size_t mostBytes = FLATBUFFERS_MAX_BUFFER_SIZE - (std::size_t{1} << 24);

/// Name of the run that events get which come before any run.
constexpr std::string_view implicitRun = "Default";

}  // namespace

struct TraceWriter::Impl {
    /// The run begun last; its parts are written, its table is not.
    struct OpenRun {
        std::string name;
        std::int32_t bundledInputIndex = -1;
        std::vector<flatbuffers::Offset<fb::Allocator>> allocators;
        std::vector<flatbuffers::Offset<fb::Event>> events;
    };

    explicit Impl(SharedStrings shared) : sharing(shared) {}

    flatbuffers::Offset<flatbuffers::String> text(std::string_view value) {
        return sharing == SharedStrings::Yes ? builder.CreateSharedString(value.data(), value.size())
                                             : builder.CreateString(value.data(), value.size());
    }
    OpenRun& currentRun() {
        if (!run) {
            run.emplace(OpenRun{
                .name = std::string(implicitRun), .bundledInputIndex = -1, .allocators = {}, .events = {}});
        }
        return *run;
    }
    /// Whether `bytes` more still fit; after the first that do not, nothing does, so that no event in the
    /// middle is missing.
    bool fits(std::size_t bytes) {
        const std::size_t offsets = run ? run->events.size() * sizeof(flatbuffers::uoffset_t) : 0;
        full = full || bytes > mostBytes || builder.GetSize() + offsets > mostBytes - bytes;
        return !full;
    }
    void closeRun() {
        if (!run) {
            return;
        }
        const auto events = builder.CreateVector(run->events);
        const auto allocators =
            run->allocators.empty()
                ? flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<fb::Allocator>>>()
                : builder.CreateVector(run->allocators);
        runs.push_back(
            fb::CreateRunData(builder, text(run->name), run->bundledInputIndex, allocators, events));
        run.reset();
    }

    SharedStrings sharing;
    flatbuffers::FlatBufferBuilder builder;
    std::vector<flatbuffers::Offset<fb::RunData>> runs;
    std::optional<OpenRun> run;
    bool full = false;
};

TraceWriter::TraceWriter(SharedStrings shared) : impl(std::make_unique<Impl>(shared)) {
}
TraceWriter::~TraceWriter() = default;

void TraceWriter::beginRun(std::string_view name, std::int32_t bundledInputIndex) {
    impl->closeRun();
    if (impl->fits(name.size())) {
        impl->run.emplace(Impl::OpenRun{.name = std::string(name),
                                        .bundledInputIndex = bundledInputIndex,
                                        .allocators = {},
                                        .events = {}});
    }
}

std::uint32_t TraceWriter::addAllocator(std::string_view name) {
    auto& allocators = impl->currentRun().allocators;
    if (impl->fits(name.size())) {
        allocators.push_back(fb::CreateAllocator(impl->builder, impl->text(name)));
    }
    return static_cast<std::uint32_t>(allocators.size());
}

void TraceWriter::profile(std::string_view name, EventIds ids, std::uint64_t startTicks,
                          std::uint64_t endTicks, core::Bytes delegateMetadata) {
    auto& events = impl->currentRun().events;
    if (!impl->fits(name.size() + ids.delegateString.size() + delegateMetadata.size())) {
        return;
    }
    auto& builder = impl->builder;
    const auto nameText = impl->text(name);
    const auto delegateText = impl->text(ids.delegateString);
    const auto metadata =
        delegateMetadata.empty()
            ? flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>()
            : builder.CreateVector(reinterpret_cast<const std::uint8_t*>(delegateMetadata.data()),
                                   delegateMetadata.size());
    const auto event = fb::CreateProfileEvent(builder, nameText, ids.chain, ids.instruction, ids.delegateInt,
                                              delegateText, metadata, startTicks, endTicks);
    events.push_back(fb::CreateEvent(builder, event));
}

void TraceWriter::allocation(std::uint32_t allocator, std::uint64_t bytes) {
    auto& events = impl->currentRun().events;
    if (!impl->fits(0)) {
        return;
    }
    const auto event = fb::CreateAllocationEvent(impl->builder, static_cast<std::int32_t>(allocator), bytes);
    events.push_back(fb::CreateEvent(impl->builder, {}, event));
}

void TraceWriter::debug(std::string_view name, EventIds ids, const DebugValue& value) {
    auto& events = impl->currentRun().events;
    if (!impl->fits(name.size() + ids.delegateString.size() + detail::encodedBytes(value))) {
        return;
    }
    auto& builder = impl->builder;
    const auto entry = detail::encodeValue(builder, value);
    const auto nameText = impl->text(name);
    const auto delegateText = impl->text(ids.delegateString);
    const auto chain = static_cast<std::uint64_t>(std::int64_t{ids.chain});
    const auto event =
        fb::CreateDebugEvent(builder, chain, ids.instruction, entry, ids.delegateInt, delegateText, nameText);
    events.push_back(fb::CreateEvent(builder, {}, {}, event));
}

core::Result<std::vector<std::byte>> TraceWriter::finish() {
    impl->closeRun();
    const std::unique_ptr<Impl> done = std::exchange(impl, std::make_unique<Impl>(impl->sharing));
    if (done->full) {
        return core::fail(
            core::ErrorCode::Limit,
            fmt::format("expected a trace of at most {} bytes, got more events than fit", mostBytes));
    }
    auto& builder = done->builder;
    builder.FinishSizePrefixed(fb::CreateETDump(builder, 0, builder.CreateVector(done->runs)),
                               fb::ETDumpIdentifier());
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

}  // namespace et::etdump
