// Tests of the phases of language model executions: as recorded by a generation, and inferred from the
// kernels.
#include "inspector/names/phase_mark.h"
#include "tests/inspector/report_support.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <numeric>

namespace et::test {
namespace {

using etdump::TraceWriter;
using inspector::Block;
using inspector::EventBlocks;
using inspector::JoinOptions;
using inspector::PhaseSource;
using inspector::RunPhase;
using inspector::TimeScale;
using inspector::events::eventTable;
using inspector::events::EventTableOptions;
using inspector::events::GroupBy;
using inspector::format::Format;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

JoinOptions phaseOptions() {
    return {.target = TimeScale::Nanoseconds, .byPhase = true};
}

/// Writes an execution of two kernels starting at `start`: cache update takes `update`, attention
/// `attention`.
void writeStep(TraceWriter& writer, std::uint64_t start, std::uint64_t update, std::uint64_t attention) {
    writer.beginRun("Execute");
    writer.profile("llama::update_cache.out", at(0), start, start + update);
    writer.profile("llama::custom_sdpa.out", at(1), start + update, start + update + attention);
    writer.profile("Method::execute", {}, start, start + update + attention);
}

void writeLoad(TraceWriter& writer) {
    writer.beginRun("Default");
    writer.profile("Method::init", {}, 0, 40);
    writer.profile("Program::load_method", {}, 0, 50);
}

struct Mark {
    inspector::PhaseMark what;
    std::uint64_t start, end;
};

void writeMarks(TraceWriter& writer, const std::vector<Mark>& marks) {
    writer.beginRun(inspector::phaseBlockName);
    for (const Mark& mark : marks) {
        writer.profile(phaseMarkName(mark.what), {}, mark.start, mark.end);
    }
}

/// A prompt of 5 tokens and 3 generated ones: each execution is 10 shorter than its call.
Trace generation() {
    TraceWriter writer;
    writeLoad(writer);
    writeStep(writer, 105, 30, 60);
    writeStep(writer, 215, 10, 20);
    writeStep(writer, 315, 10, 30);
    writeStep(writer, 415, 10, 40);
    writeMarks(writer, {{{.phase = "tokenize", .call = 0, .position = 0}, 60, 90},
                        {{.phase = "prefill", .call = 0, .position = 0, .tokens = 5}, 100, 200},
                        {{.phase = "decode", .call = 0, .position = 5, .tokens = 1}, 210, 250},
                        {{.phase = "sample", .call = 0, .position = 6}, 250, 257},
                        {{.phase = "decode", .call = 1, .position = 6, .tokens = 1}, 310, 360},
                        {{.phase = "decode", .call = 2, .position = 7, .tokens = 1}, 410, 470}});
    return traceOf(writer);
}

std::vector<std::string> phasesOf(const EventBlocks& blocks) {
    std::vector<std::string> phases;
    for (const Block& block : blocks.blocks()) {
        phases.emplace_back(block.phase);
    }
    return phases;
}

std::vector<std::string> runPhases(const EventBlocks& blocks) {
    std::vector<std::string> phases;
    for (const RunPhase& run : blocks.phases().runs) {
        phases.emplace_back(run.phase);
    }
    return phases;
}

TEST(Phases, AreRecordedByGenerate) {
    const Blocks joined = join(generation());
    const auto& phases = joined->phases();
    EXPECT_EQ(phases.source, PhaseSource::Recorded);
    EXPECT_THAT(runPhases(*joined), ElementsAre("load", "prefill", "decode", "decode", "decode", ""));
    EXPECT_EQ(phases.runs[1], (RunPhase{.phase = "prefill", .call = 0, .position = 0, .tokens = 5}));
    EXPECT_EQ(phases.runs[4], (RunPhase{.phase = "decode", .call = 2, .position = 7, .tokens = 1}));
    // Blocks are the same as in the reference, with unchanged marks.
    ASSERT_EQ(joined->blocks().size(), 3U);
    EXPECT_EQ(joined->blocks()[1].runs.size(), 4U);
    EXPECT_EQ(joined->blocks()[2].events.size(), 6U);
}

TEST(Phases, BlocksAreOfOnePhase) {
    const Blocks joined = join(generation(), nullptr, phaseOptions());
    EXPECT_THAT(phasesOf(*joined),
                ElementsAre("load", "tokenize", "prefill", "prefill", "decode", "decode", "sample"));
    const Block& around = joined->blocks()[4];
    EXPECT_EQ(around.name, "Generate");
    EXPECT_THAT(namesOf(around), ElementsAre("around the execution"));
    EXPECT_THAT(around.events[0].samples, ElementsAre(10.0, 10.0, 10.0));
    EXPECT_THAT(eventNamed(joined->blocks()[5], "llama::custom_sdpa.out").samples,
                ElementsAre(20.0, 30.0, 40.0));
    EXPECT_THAT(joined->warnings(), IsEmpty());

    JoinOptions some = phaseOptions();
    some.phases = {"decode", "sample"};
    EXPECT_THAT(phasesOf(*join(generation(), nullptr, some)), ElementsAre("decode", "decode", "sample"));
}

TEST(Phases, AreColumns) {
    const Blocks joined = join(generation(), nullptr, phaseOptions());
    EventTableOptions options;
    options.columns = {"event_name", "phase", "call", "position"};
    options.filter = "sdpa|sample";
    EXPECT_EQ(rendered(joined, options, Format::Csv),
              ",event_name,phase,call,position\n"
              "0,llama::custom_sdpa.out,prefill,[0],[0]\n"
              "1,llama::custom_sdpa.out,decode,\"[0, 1, 2]\",\"[5, 6, 7]\"\n"
              "2,sample,sample,[0],[6]\n");
    // Blocks with several phases list one per sample.
    options.filter = "sdpa";
    options.columns = {"phase"};
    EXPECT_THAT(rendered(join(generation()), options, Format::Csv),
                HasSubstr("['prefill', 'decode', 'decode', 'decode']"));
    options.filter = "^decode$";
    options.columns = {"event_name"};
    EXPECT_THAT(columnTexts(joined, options, "event_name"), testing::SizeIs(4));
}

TEST(Phases, GroupsOfAPhaseAddUpToTheTimeOfItsCalls) {
    const Blocks joined = join(generation(), nullptr, phaseOptions());
    EventTableOptions options;
    options.groupBy = GroupBy::Phase;
    EXPECT_THAT(columnTexts(joined, options, "phase"),
                ElementsAre("load", "tokenize", "prefill", "decode", "sample"));
    EXPECT_THAT(columnTexts(joined, options, "total"), ElementsAre("50.0", "30.0", "100.0", "150.0", "7.0"));
    EXPECT_THAT(columnTexts(joined, options, "runs"), ElementsAre("1", "1", "1", "3", "1"));
    EXPECT_THAT(columnTexts(joined, options, "p50"), ElementsAre("50.0", "30.0", "100.0", "50.0", "7.0"));
}

TEST(Phases, SeveralKeysMakeOneRowForEachCombination) {
    const Blocks joined = join(generation(), nullptr, phaseOptions());
    EventTableOptions options;
    options.groupBy = {GroupBy::Phase, GroupBy::Op};
    options.columns = {"phase", "op", "p50", "share"};
    options.filter = "prefill|decode";
    EXPECT_EQ(rendered(joined, options, Format::Csv),
              ",phase,op,p50 (ns),share (%)\n"
              "0,load,(filtered out),50.0,100.0\n"
              "1,tokenize,(filtered out),30.0,100.0\n"
              "2,prefill,llama::custom_sdpa.out,60.0,60.0\n"
              "3,prefill,llama::update_cache.out,30.0,30.0\n"
              "4,prefill,around the execution,10.0,10.0\n"
              "5,prefill,(dispatch),0.0,0.0\n"
              "6,decode,llama::custom_sdpa.out,30.0,60.0\n"
              "7,decode,around the execution,10.0,20.0\n"
              "8,decode,llama::update_cache.out,10.0,20.0\n"
              "9,decode,(dispatch),0.0,0.0\n"
              "10,sample,(filtered out),7.0,100.0\n");
    options.groupBy = {GroupBy::Op, GroupBy::Phase};
    options.filter.clear();
    options.top = 2;
    EXPECT_EQ(rendered(joined, options, Format::Csv),
              ",phase,op,p50 (ns),share (%)\n"
              "0,prefill,llama::custom_sdpa.out,60.0,60.0\n"
              "1,decode,llama::custom_sdpa.out,30.0,60.0\n");
    options.groupBy = {GroupBy::Delegate, GroupBy::Op};
    EXPECT_FALSE(eventTable(*joined, options).has_value());
}

TEST(Phases, TwoTracesAreOneTable) {
    TraceWriter prefill;
    writeStep(prefill, 100, 30, 60);
    TraceWriter decode;
    writeStep(decode, 100, 10, 20);
    writeStep(decode, 200, 10, 40);
    const Blocks first = join(traceOf(prefill), nullptr, phaseOptions());
    const Blocks second = join(traceOf(decode), nullptr, phaseOptions());
    const std::vector<inspector::events::NamedTrace> both{{.name = "a.etdp", .blocks = first.get()},
                                                          {.name = "b.etdp", .blocks = second.get()}};
    EventTableOptions options;
    options.groupBy = {GroupBy::Trace, GroupBy::Op};
    options.columns = {"trace", "op", "runs", "p50"};
    options.top = 6;
    options.sort = "-p50";
    const auto text = renderEvents(both, options, Format::Csv);
    ASSERT_TRUE(text.has_value()) << text.error().toString();
    EXPECT_EQ(*text,
              ",trace,op,runs,p50 (ns)\n"
              "0,a.etdp,llama::custom_sdpa.out,1,60.0\n"
              "1,a.etdp,llama::update_cache.out,1,30.0\n"
              "2,b.etdp,llama::custom_sdpa.out,2,30.0\n"
              "3,b.etdp,llama::update_cache.out,2,10.0\n"
              "4,a.etdp,(unattributed),1,0.0\n"
              "5,b.etdp,(unattributed),2,0.0\n");
    options = {};
    EXPECT_FALSE(renderEvents(both, options, Format::Json).has_value());
    options.columns = {"trace", "event_name"};
    EXPECT_THAT(*renderEvents(both, options, Format::Csv), HasSubstr("b.etdp,llama::custom_sdpa.out"));
}

TEST(Phases, ModulesAreRolledUp) {
    inspector::events::ModuleRollUp names{.depth = 3, .mergeLayers = true};
    EXPECT_EQ(names("layers.10.attention.wq"), "layers.*.attention");
    EXPECT_EQ(names("output"), "output");
    EXPECT_EQ(names(""), "");
    names = {.depth = 2, .mergeLayers = false};
    EXPECT_EQ(names("layers.10.attention.wq"), "layers.10");
}

/// Executions of other programs, given by the times of their two kernels.
Trace foreign(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& times,
              std::string_view second = "llama::custom_sdpa.out",
              std::string_view first = "llama::update_cache.out") {
    TraceWriter writer;
    std::uint64_t start = 0;
    for (const auto& [update, attention] : times) {
        writer.beginRun("Execute");
        writer.profile(first, at(0), start, start + update);
        writer.profile(second, at(1), start + update, start + update + attention);
        writer.profile("Method::execute", {}, start, start + update + attention);
        start += 1000;
    }
    return traceOf(writer);
}

TEST(Phases, AreInferredFromThePattern) {
    const Blocks joined =
        join(foreign({{90, 80}, {10, 20}, {11, 21}, {10, 22}, {80, 60}, {10, 23}}), nullptr, phaseOptions());
    EXPECT_EQ(joined->phases().source, PhaseSource::Pattern);
    EXPECT_THAT(runPhases(*joined),
                ElementsAre("prefill", "decode", "decode", "decode", "prefill", "decode"));
    EXPECT_EQ(joined->phases().runs[5].call, 3U);
    EXPECT_FALSE(joined->phases().runs[5].position.has_value());
    EXPECT_THAT(
        joined->warnings(),
        ElementsAre(HasSubstr("inferred: 2 of 6 executions are classified as prefill; the first took")));
}

TEST(Phases, AColdStartIsNoPrefill) {
    // One kernel of three has a slow first run because of disk reads.
    TraceWriter writer;
    for (const std::uint64_t slow : {900U, 10U, 10U, 10U}) {
        writer.beginRun("Execute");
        writer.profile("llama::update_cache.out", at(0), 0, slow);
        writer.profile("llama::custom_sdpa.out", at(1), slow, slow + 20);
        writer.profile("native_call_add.out", at(2), slow + 20, slow + 40);
        writer.profile("Method::execute", {}, 0, slow + 40);
    }
    const Blocks joined = join(traceOf(writer), nullptr, phaseOptions());
    EXPECT_EQ(joined->phases().source, PhaseSource::None);
    EXPECT_THAT(runPhases(*joined), testing::Each("execute"));
}

TEST(Phases, OtherModelsHaveNone) {
    const Blocks joined =
        join(foreign({{90, 80}, {10, 20}, {10, 20}, {10, 20}}, "native_call_add.out", "native_call_mul.out"),
             nullptr, phaseOptions());
    EXPECT_EQ(joined->phases().source, PhaseSource::None);
    EXPECT_THAT(joined->warnings(), IsEmpty());
}

TEST(Phases, AreInferredFromLoggedLengths) {
    TraceWriter writer;
    for (const std::int64_t tokens : {7, 1, 1}) {
        writer.beginRun("Execute");
        writer.profile("native_call_embedding.out", at(0), 0, 10);
        writer.debug(
            "native_call_embedding.out", at(0),
            {.value =
                 etdump::DebugTensor{.scalarType = 6, .sizes = {1, tokens, 64}, .strides = {}, .offset = 0},
             .programOutput = false});
        writer.profile("Method::execute", {}, 0, 10);
    }
    const Blocks joined = join(traceOf(writer));
    EXPECT_EQ(joined->phases().source, PhaseSource::SequenceLength);
    EXPECT_EQ(joined->phases().runs[0],
              (RunPhase{.phase = "prefill", .call = 0, .position = 0, .tokens = 7}));
    EXPECT_EQ(joined->phases().runs[2], (RunPhase{.phase = "decode", .call = 1, .position = 8, .tokens = 1}));
}

TEST(Phases, AreWrittenToJson) {
    simdjson::dom::parser parser;
    const auto document = parsed(parser, rendered(join(generation()), {}, Format::Json));
    EXPECT_EQ(textOf(document["phases"]), "recorded");
    const auto calls = document["blocks"].at(1)["calls"];
    EXPECT_EQ(textOf(calls.at(0)["phase"]), "prefill");
    EXPECT_EQ(std::uint64_t(calls.at(3)["position"]), 7U);
    // Traces of other models are unchanged.
    const auto other = parsed(parser, rendered(sampleTrace(), {}, Format::Json));
    EXPECT_TRUE(other["phases"].error());
}

/// The reference runtime's traces of one prompt and 8 steps.
TEST(Phases, OfTheReferenceRuntimesTracesAreInferred) {
    ET_NEEDS_SHARED_DATA();
    const auto folder = sharedData() / "llm";
    const auto told = [&](const std::string& variant, bool withRecord) {
        auto trace = etdump::Trace::open(folder / "traces" / (variant + ".etdp"));
        auto record = etrecord::Record::open(folder / "models/tiny-a" / (variant + ".etrecord"));
        return join(*trace, withRecord ? *record : nullptr, phaseOptions());
    };
    for (const char* variant : {"xnnpack_fp32", "xnnpack_8da4w", "portable_fp32", "xnnpack_2method"}) {
        for (const bool withRecord : {true, false}) {
            const Blocks joined = told(variant, withRecord);
            std::vector<std::string> phases = runPhases(*joined);
            std::erase(phases, "load");
            EXPECT_THAT(phases, ElementsAre("prefill", "decode", "decode", "decode", "decode", "decode",
                                            "decode", "decode", "decode"))
                << variant << withRecord;
        }
    }
    EXPECT_EQ(told("xnnpack_2method", true)->phases().source, PhaseSource::MethodName);
    // Token by token, the prompt cannot be distinguished from the answer.
    EXPECT_EQ(told("xnnpack_nosdpa_t1", true)->phases().source, PhaseSource::None);
}

}  // namespace
}  // namespace et::test
