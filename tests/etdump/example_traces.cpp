#include "tests/etdump/example_traces.h"

#include "etdump/schema/etdump_generated.h"
#include "etdump/writer.h"

#include <flatbuffers/flatbuffers.h>

#include <array>
#include <cstdint>
#include <span>

namespace et::test {
namespace {

namespace fb = etdump::fb;
using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offsets = std::vector<flatbuffers::Offset<T>>;

FileBytes bytesOf(const Builder& builder) {
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    return {bytes.begin(), bytes.end()};
}

FileBytes finishPlain(Builder& builder, const Offsets<fb::RunData>& runs) {
    builder.Finish(fb::CreateETDump(builder, 0, builder.CreateVector(runs)), fb::ETDumpIdentifier());
    return bytesOf(builder);
}

/// Returns a file of one run with these events.
FileBytes finishOneRun(Builder& builder, const Offsets<fb::Event>& events) {
    const auto list = builder.CreateVector(events);
    return finishPlain(builder, {fb::CreateRunData(builder, {}, -1, {}, list)});
}

}  // namespace

FileBytes everyKindOfEvent() {
    using etdump::DebugTensor;
    using etdump::DebugValue;
    const DebugTensor tensor{.scalarType = 6, .sizes = {2, 3}, .strides = {3, 1}, .offset = 64};
    const DebugTensor empty{.scalarType = 4, .sizes = {0}, .strides = {1}, .offset = -1};
    constexpr std::array metadata{std::byte{1}, std::byte{0}, std::byte{255}};

    etdump::TraceWriter writer;
    writer.beginRun("Default");
    const std::uint32_t arena = writer.addAllocator("arena");
    const std::uint32_t scratch = writer.addAllocator("scratch");
    writer.allocation(scratch, 1ULL << 40);
    writer.allocation(arena, 16);
    writer.profile("Method::init", {.instruction = 0}, 10, 20);
    writer.beginRun("Execute", 3);
    writer.profile("", {.instruction = 2, .chain = 0, .delegateString = "conv #1"}, 5, 6, metadata);
    writer.profile("", {.instruction = 2, .chain = 0, .delegateInt = 7}, 6, 0xFFFF'FFFF'FFFF'FFFF);
    const std::array<DebugValue, 8> values{
        DebugValue{.value = std::monostate(), .programOutput = false},
        DebugValue{.value = std::int64_t{-5}, .programOutput = false},
        DebugValue{.value = true, .programOutput = false},
        DebugValue{.value = 0.25F, .programOutput = false},
        DebugValue{.value = -1e300, .programOutput = false},
        DebugValue{.value = std::string_view("text"), .programOutput = false},
        DebugValue{.value = tensor, .programOutput = false},
        DebugValue{.value = std::vector{tensor, empty}, .programOutput = true}};
    for (const DebugValue& value : values) {
        writer.debug("native_call_x.out", {.instruction = 4, .chain = 0}, value);
    }
    writer.debug("", {.delegateString = "conv #1"}, {.value = tensor, .programOutput = true});
    return writer.finish().value();
}

FileBytes plainWithMissingFields() {
    Builder builder;
    const auto empty = builder.CreateString("");
    Offsets<fb::Event> events;
    const auto addProfile = [&](flatbuffers::Offset<flatbuffers::String> name) {
        const auto profile = fb::CreateProfileEvent(builder, name);
        events.push_back(fb::CreateEvent(builder, profile));
    };
    const auto addDebug = [&](flatbuffers::Offset<fb::Value> value) {
        const auto debug = fb::CreateDebugEvent(builder, ~0ULL, 1, value);
        events.push_back(fb::CreateEvent(builder, {}, {}, debug));
    };
    addProfile({});
    addProfile(empty);
    addDebug({});
    addDebug(fb::CreateValue(builder, fb::ValueType::Int));  // a kind without a number
    addDebug(fb::CreateValue(builder, static_cast<fb::ValueType>(99)));
    addDebug(fb::CreateValue(builder, fb::ValueType::Tensor, fb::CreateTensor(builder, 99)));
    events.push_back(fb::CreateEvent(builder));
    const auto profile = fb::CreateProfileEvent(builder, empty, 0, 5);
    const auto allocation = fb::CreateAllocationEvent(builder, 1, 42);
    const auto debug = fb::CreateDebugEvent(builder, 0, 6);
    events.push_back(fb::CreateEvent(builder, profile, allocation, debug));
    const auto list = builder.CreateVector(events);
    Offsets<fb::RunData> runs{fb::CreateRunData(builder)};
    runs.push_back(fb::CreateRunData(builder, empty, -1, {}, list));
    return finishPlain(builder, runs);
}

FileBytes misalignedSizes() {
    Builder builder;
    // A list of 64-bit numbers starts at each of the first two words: count 1, then two words for the number.
    const auto words = builder.CreateVector(std::vector<std::uint32_t>{1, 1, 0, 0});
    // Offsets are relative to the end of the buffer; the count of `words` comes first.
    const auto skip = [&](std::size_t bytes) {
        return flatbuffers::Offset<flatbuffers::Vector<std::int64_t>>(
            words.o - static_cast<flatbuffers::uoffset_t>(bytes));
    };
    Offsets<fb::Event> events;
    for (const std::size_t bytes : {4U, 8U}) {
        const auto tensor = fb::CreateTensor(builder, 6, skip(bytes));
        const auto value = fb::CreateValue(builder, fb::ValueType::Tensor, tensor);
        const auto debug = fb::CreateDebugEvent(builder, 0, 0, value);
        events.push_back(fb::CreateEvent(builder, {}, {}, debug));
    }
    return finishOneRun(builder, events);
}

FileBytes overlappingNames() {
    constexpr std::uint32_t length = 4'096;
    constexpr std::size_t names = 500;
    Builder builder;
    // Each of these numbers can be read as the length of a string that follows it.
    const std::vector<std::uint32_t> lengths(names + length / sizeof(std::uint32_t) + 1, length);
    const auto region = builder.CreateVector(lengths);
    Offsets<fb::Event> events;
    for (std::size_t i = 0; i < names; ++i) {
        const auto skipped = static_cast<flatbuffers::uoffset_t>((i + 1) * sizeof(std::uint32_t));
        const auto profile =
            fb::CreateProfileEvent(builder, flatbuffers::Offset<flatbuffers::String>(region.o - skipped));
        events.push_back(fb::CreateEvent(builder, profile));
    }
    return finishOneRun(builder, events);
}

FileBytes sharedHugeTensor() {
    Builder builder;
    const auto sizes = builder.CreateVector(std::vector<std::int64_t>(1'000, 1));
    Offsets<fb::Event> events;
    for (int i = 0; i < 100; ++i) {
        const auto value =
            fb::CreateValue(builder, fb::ValueType::Tensor, fb::CreateTensor(builder, 6, sizes));
        const auto debug = fb::CreateDebugEvent(builder, 0, i, value);
        events.push_back(fb::CreateEvent(builder, {}, {}, debug));
    }
    return finishOneRun(builder, events);
}

FileBytes sharedRuns() {
    constexpr std::size_t repeats = 100;
    Builder builder;
    const auto profile = fb::CreateProfileEvent(builder);
    const auto event = fb::CreateEvent(builder, profile);
    const auto events = builder.CreateVector(Offsets<fb::Event>(repeats, event));
    const auto run = fb::CreateRunData(builder, {}, -1, {}, events);
    // Large enough that a hundred runs and events are plausible individually.
    const auto padding = builder.CreateString(std::string(64 * repeats, ' '));
    Offsets<fb::RunData> runs(repeats, run);
    runs.push_back(fb::CreateRunData(builder, padding));
    return finishPlain(builder, runs);
}

bool verifies(const FileBytes& bytes) {
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    return fb::VerifySizePrefixedETDumpBuffer(verifier);
}

}  // namespace et::test
