#include "etdump/writer.h"

#include "etdump/detail/debug_value.h"
#include "etdump/schema/etdump_generated.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <optional>
#include <utility>

namespace et::etdump {
namespace {

/// Limit of the written bytes, below the 2 GiB that flatbuffers can address: leaves space for one more event,
/// the lists of offsets and the root.
constexpr std::size_t maxBytes = FLATBUFFERS_MAX_BUFFER_SIZE - (std::size_t{1} << 24);

/// Name of the run for events written before any run begins.
constexpr std::string_view implicitRun = "Default";

}  // namespace

struct TraceWriter::Impl {
    using Text = flatbuffers::Offset<flatbuffers::String>;

    /// Ids of an event whose texts are already in the builder.
    struct Ids {
        std::int32_t instruction;
        std::int32_t chain;
        std::int32_t delegateInt;
        Text delegateString;
    };

    /// The current run; its contents are written, its table is not.
    struct OpenRun {
        std::string name;
        std::int32_t bundledInputIndex = -1;
        std::vector<flatbuffers::Offset<fb::Allocator>> allocators;
        std::vector<flatbuffers::Offset<fb::Event>> events;
    };

    Impl(SharedStrings shared, std::size_t expectedBytes) : sharing(shared), builder(expectedBytes) {}

    Text text(std::string_view value) {
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
    /// Whether `bytes` more fit. Once they do not, nothing does, so that no event is missing in the middle.
    bool fits(std::size_t bytes) {
        const std::size_t offsets = run ? run->events.size() * sizeof(flatbuffers::uoffset_t) : 0;
        full = full || bytes > maxBytes || builder.GetSize() + offsets > maxBytes - bytes;
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

    Ids withTexts(const EventIds& ids) {
        return {ids.instruction, ids.chain, ids.delegateInt, text(ids.delegateString)};
    }
    Ids withTexts(const WrittenIds& ids) const {
        return {ids.instruction, ids.chain, ids.delegateInt, texts[ids.delegateString.value]};
    }
    void addProfile(Text name, const Ids& ids, std::uint64_t start, std::uint64_t end, core::Bytes metadata);
    void addDebug(Text name, const Ids& ids, const DebugValue& value);

    SharedStrings sharing;
    flatbuffers::FlatBufferBuilder builder;
    std::vector<Text> texts;  ///< by TextId
    std::vector<flatbuffers::Offset<fb::RunData>> runs;
    std::optional<OpenRun> run;
    bool full = false;
};

void TraceWriter::Impl::addProfile(Text name, const Ids& ids, std::uint64_t start, std::uint64_t end,
                                   core::Bytes metadata) {
    const auto bytes =
        metadata.empty()
            ? flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>()
            : builder.CreateVector(reinterpret_cast<const std::uint8_t*>(metadata.data()), metadata.size());
    const auto event = fb::CreateProfileEvent(builder, name, ids.chain, ids.instruction, ids.delegateInt,
                                              ids.delegateString, bytes, start, end);
    currentRun().events.push_back(fb::CreateEvent(builder, event));
}

void TraceWriter::Impl::addDebug(Text name, const Ids& ids, const DebugValue& value) {
    const auto entry = detail::encodeValue(builder, value);
    const auto chain = static_cast<std::uint64_t>(std::int64_t{ids.chain});
    const auto event = fb::CreateDebugEvent(builder, chain, ids.instruction, entry, ids.delegateInt,
                                            ids.delegateString, name);
    currentRun().events.push_back(fb::CreateEvent(builder, {}, {}, event));
}

TraceWriter::TraceWriter(SharedStrings shared, std::size_t expectedBytes)
    : impl(std::make_unique<Impl>(shared, expectedBytes)) {
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
    if (impl->fits(name.size() + ids.delegateString.size() + delegateMetadata.size())) {
        const auto nameText = impl->text(name);
        impl->addProfile(nameText, impl->withTexts(ids), startTicks, endTicks, delegateMetadata);
    }
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
    if (impl->fits(name.size() + ids.delegateString.size() + detail::encodedBytes(value))) {
        const auto nameText = impl->text(name);
        impl->addDebug(nameText, impl->withTexts(ids), value);
    }
}

TextId TraceWriter::text(std::string_view value) {
    const bool room = impl->fits(value.size());
    impl->texts.push_back(impl->builder.CreateSharedString(value.data(), room ? value.size() : 0));
    return TextId(static_cast<std::uint32_t>(impl->texts.size() - 1));
}

void TraceWriter::profile(TextId name, const WrittenIds& ids, std::uint64_t startTicks,
                          std::uint64_t endTicks, core::Bytes delegateMetadata) {
    if (impl->fits(delegateMetadata.size())) {
        impl->addProfile(impl->texts[name.value], impl->withTexts(ids), startTicks, endTicks,
                         delegateMetadata);
    }
}

void TraceWriter::debug(TextId name, const WrittenIds& ids, const DebugValue& value) {
    if (impl->fits(detail::encodedBytes(value))) {
        impl->addDebug(impl->texts[name.value], impl->withTexts(ids), value);
    }
}

core::Result<std::vector<std::byte>> TraceWriter::finish() {
    std::vector<std::byte> file;
    ET_TRY(finish([&](core::Bytes bytes) -> core::Result<> {
        file.assign(bytes.begin(), bytes.end());
        return {};
    }));
    return file;
}

core::Result<> TraceWriter::finish(const std::function<core::Result<>(core::Bytes)>& consume) {
    impl->closeRun();
    constexpr std::size_t usualBytes = 1024;
    const std::unique_ptr<Impl> done = std::exchange(impl, std::make_unique<Impl>(impl->sharing, usualBytes));
    if (done->full) {
        return core::fail(
            core::ErrorCode::Limit,
            fmt::format("expected a trace of at most {} bytes, got more events than fit", maxBytes));
    }
    auto& builder = done->builder;
    builder.FinishSizePrefixed(fb::CreateETDump(builder, 0, builder.CreateVector(done->runs)),
                               fb::ETDumpIdentifier());
    return consume(std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize())));
}

}  // namespace et::etdump
