#include "app/wire/tape.h"

#include <fmt/format.h>

#include <utility>

namespace et::wire {
namespace {

using core::Bytes;
using core::Result;
using core::TapReport;
using core::TapSite;
using core::TraceIds;
using core::TraceName;

enum class Event : std::uint8_t { BeginRun, EndRun, Profile, Allocation, Debug, TapSite, Tap, Tapped };
constexpr std::uint8_t eventKindCount = 8;

std::uint8_t codeOf(Event what) {
    return static_cast<std::uint8_t>(what);
}

std::int64_t handleOf(const TapSite& site) {
    return site.debugHandle ? std::int64_t{*site.debugHandle} : -1;
}

std::optional<std::uint32_t> handleFrom(std::int64_t number) {
    return number < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
}

Result<TraceIds> idsOf(Decoder& in) {
    TraceIds ids;
    ET_ASSIGN(ids.chain, in.number<std::int64_t>("chain"));
    ET_ASSIGN(ids.instruction, in.number<std::int32_t>("instruction"));
    ET_ASSIGN(ids.delegateInt, in.number<std::int32_t>("delegate id"));
    ET_ASSIGN(ids.delegateString, in.text("delegate id"));
    return ids;
}

Result<TapReport> reportOf(Decoder& in) {
    TapReport report;
    ET_ASSIGN(report.chain, in.number<std::int64_t>("chain"));
    ET_ASSIGN(report.instruction, in.number<std::int32_t>("instruction"));
    ET_ASSIGN(report.values, in.number<std::uint64_t>("values"));
    ET_ASSIGN(report.operators, in.number<std::uint64_t>("operators"));
    ET_ASSIGN(report.operatorsWithTaps, in.number<std::uint64_t>("operators"));
    ET_ASSIGN(const std::uint32_t changed, in.count("changed operators", sizeof(std::uint64_t)));
    for (std::uint32_t i = 0; i < changed; ++i) {
        ET_ASSIGN(const std::string_view text, in.text("changed operator"));
        report.changedOperators.emplace_back(text);
    }
    ET_ASSIGN(const std::uint32_t outputs, in.count("changed outputs", 3 * sizeof(std::uint64_t)));
    for (std::uint32_t i = 0; i < outputs; ++i) {
        core::TapOutputChange change;
        ET_ASSIGN(change.argument, in.number<std::uint64_t>("argument"));
        ET_ASSIGN(change.elements, in.number<std::uint64_t>("elements"));
        ET_ASSIGN(change.of, in.number<std::uint64_t>("elements"));
        report.changedOutputs.push_back(change);
    }
    ET_ASSIGN(const std::string_view failure, in.text("failure"));
    report.failure = failure;
    return report;
}

}  // namespace

TraceName TapeRecorder::name(std::string_view text) {
    const auto known = numbers.find(text);
    if (known != numbers.end()) {
        return TraceName(known->second);
    }
    const auto number = static_cast<std::uint32_t>(names.size());
    names.emplace_back(text);
    numbers.emplace(std::string(text), number);
    return TraceName(number);
}

NewNames TapeRecorder::takeNames() {
    NewNames fresh(names.begin() + static_cast<std::ptrdiff_t>(namesTaken), names.end());
    namesTaken = names.size();
    return fresh;
}

void TapeRecorder::addIds(const TraceIds& ids) {
    tape.add(ids.chain).add(ids.instruction).add(ids.delegateInt).text(ids.delegateString);
}

void TapeRecorder::beginRun(std::string_view blockName) {
    tape.add(codeOf(Event::BeginRun)).text(blockName);
}

void TapeRecorder::endRun() {
    tape.add(codeOf(Event::EndRun));
}

void TapeRecorder::profile(TraceName event, const TraceIds& ids, std::uint64_t start, std::uint64_t end,
                           Bytes metadata) {
    tape.add(codeOf(Event::Profile)).add(event.value);
    addIds(ids);
    tape.add(start).add(end).block(metadata);
}

std::uint32_t TapeRecorder::allocator(std::string_view text) {
    const auto known = allocators.find(text);
    if (known != allocators.end()) {
        return known->second;
    }
    // 0 means not wanted.
    const std::uint32_t number = name(text).value + 1;
    allocators.emplace(std::string(text), number);
    return number;
}

void TapeRecorder::allocation(std::uint32_t allocatorId, std::uint64_t bytes) {
    tape.add(codeOf(Event::Allocation)).add(allocatorId - 1).add(bytes);
}

bool TapeRecorder::asked(const Query& query) {
    const auto [known, isNew] =
        answers.try_emplace(Key(query.isTap, query.name, query.chain, query.instruction, query.delegateInt,
                                query.delegateString, query.value, query.debugHandle));
    if (isNew) {
        known->second = asks(query);
    }
    return known->second;
}

bool TapeRecorder::wantsDebug(TraceName event, const TraceIds& ids) {
    return asked({.isTap = false,
                  .name = names[event.value],
                  .chain = ids.chain,
                  .instruction = ids.instruction,
                  .delegateInt = ids.delegateInt,
                  .delegateString = ids.delegateString});
}

bool TapeRecorder::wantsTap(const TapSite& site) {
    return asked({.isTap = true,
                  .name = site.nodeKind,
                  .delegateString = {},
                  .value = site.value,
                  .debugHandle = handleOf(site)});
}

void TapeRecorder::debug(TraceName event, const TraceIds& ids, core::Value& value, bool methodOutput) {
    tape.add(codeOf(Event::Debug)).add(event.value);
    addIds(ids);
    tape.add(methodOutput);
    encodeValue(tape, value);
}

void TapeRecorder::tapSite(const TapSite& next) {
    tape.add(codeOf(Event::TapSite)).text(next.nodeKind).add(next.value).add(handleOf(next));
}

void TapeRecorder::tap(const TraceIds& ids, core::Value& value) {
    tape.add(codeOf(Event::Tap));
    addIds(ids);
    encodeValue(tape, value);
}

void TapeRecorder::tapped(const TapReport& report) {
    tape.add(codeOf(Event::Tapped)).add(report.chain).add(report.instruction);
    tape.add(report.values).add(report.operators).add(report.operatorsWithTaps);
    tape.list(report.changedOperators, [](Encoder& out, const std::string& each) { out.text(each); });
    tape.list(report.changedOutputs, [](Encoder& out, const core::TapOutputChange& each) {
        out.add(std::uint64_t{each.argument}).add(each.elements).add(each.of);
    });
    tape.text(report.failure);
}

/// State of playing one tape to a tracer.
struct TapePlayer::Playing {
    const std::vector<std::string>& names;
    core::EventTracer& tracer;
    Decoder in;
    ValueStore store{};

    Result<std::string_view> name() {
        ET_ASSIGN(const auto number, in.number<std::uint32_t>("name"));
        if (number >= names.size()) {
            return core::fail(core::ErrorCode::Format,
                              fmt::format("expected a name below {}, got {}", names.size(), number));
        }
        return std::string_view(names[number]);
    }

    Result<> next() {
        ET_ASSIGN(const Event what, in.choice<Event>("event", eventKindCount));
        switch (what) {
            case Event::BeginRun: {
                ET_ASSIGN(const std::string_view block, in.text("block"));
                tracer.beginRun(block);
                return {};
            }
            case Event::EndRun:
                tracer.endRun();
                return {};
            case Event::Profile:
                return profile();
            case Event::Allocation:
                return allocation();
            case Event::Debug:
                return debug();
            case Event::TapSite:
                return tapSite();
            case Event::Tap:
                return tap();
            case Event::Tapped: {
                ET_ASSIGN(const TapReport report, reportOf(in));
                tracer.tapped(report);
                return {};
            }
        }
        return {};
    }

    Result<> profile() {
        ET_ASSIGN(const std::string_view event, name());
        ET_ASSIGN(const TraceIds ids, idsOf(in));
        ET_ASSIGN(const auto start, in.number<std::uint64_t>("start"));
        ET_ASSIGN(const auto end, in.number<std::uint64_t>("end"));
        ET_ASSIGN(const Bytes metadata, in.block("metadata"));
        tracer.profile(tracer.name(event), ids, start, end, metadata);
        return {};
    }

    Result<> allocation() {
        ET_ASSIGN(const std::string_view allocator, name());
        ET_ASSIGN(const auto bytes, in.number<std::uint64_t>("bytes"));
        if (const std::uint32_t id = tracer.allocator(allocator); id != 0) {
            tracer.allocation(id, bytes);
        }
        return {};
    }

    Result<> debug() {
        ET_ASSIGN(const std::string_view event, name());
        ET_ASSIGN(const TraceIds ids, idsOf(in));
        ET_ASSIGN(const bool isOutput, in.truth("output"));
        store.clear();
        ET_ASSIGN(core::Value * value, store.decode(in));
        tracer.debug(tracer.name(event), ids, *value, isOutput);
        return {};
    }

    Result<> tapSite() {
        TapSite site;
        ET_ASSIGN(site.nodeKind, in.text("kind of node"));
        ET_ASSIGN(site.value, in.number<std::uint32_t>("value"));
        ET_ASSIGN(const auto handle, in.number<std::int64_t>("debug handle"));
        site.debugHandle = handleFrom(handle);
        tracer.tapSite(site);
        return {};
    }

    Result<> tap() {
        ET_ASSIGN(const TraceIds ids, idsOf(in));
        store.clear();
        ET_ASSIGN(core::Value * value, store.decode(in));
        tracer.tap(ids, *value);
        return {};
    }
};

Result<> TapePlayer::play(Bytes tape, core::EventTracer& tracer) {
    Playing playing{.names = names, .tracer = tracer, .in = Decoder(tape)};
    while (!playing.in.atEnd()) {
        ET_TRY(playing.next());
    }
    return {};
}

bool TapePlayer::answer(const Query& query, core::EventTracer& tracer) {
    if (query.isTap) {
        return tracer.wantsTap(
            {.nodeKind = query.name, .value = query.value, .debugHandle = handleFrom(query.debugHandle)});
    }
    return tracer.wantsDebug(tracer.name(query.name), {.chain = query.chain,
                                                       .instruction = query.instruction,
                                                       .delegateInt = query.delegateInt,
                                                       .delegateString = query.delegateString});
}

}  // namespace et::wire
