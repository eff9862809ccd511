// Tests that matching files are recognized by content, and that the best match is chosen among several.
#include "inspector/session/belonging.h"

#include "inspector/session/placement.h"
#include "inspector/session/trace_check.h"
#include "tests/inspector/join_support.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <fstream>

namespace et::inspector {
namespace {

using std::filesystem::path;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BelongingTest : public testing::Test {
  protected:
    [[nodiscard]] path write(const std::string& name, const std::vector<std::byte>& bytes) const {
        const path file = folder.path() / name;
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return file;
    }
    [[nodiscard]] path trace(const std::string& name, const std::vector<std::string>& kernels) const {
        const test::Trace made = test::traceFor(kernels);
        return write(name, {made->file().bytes().begin(), made->file().bytes().end()});
    }
    [[nodiscard]] path record(const std::string& name, const std::vector<std::string>& operators) const {
        etrecord::RecordWriter writer;
        writer.addEdgeGraph("forward", test::edgeGraph(operators));
        writer.setMaps("forward", test::plainMaps(static_cast<std::int32_t>(operators.size())));
        return write(name, writer.finish().value());
    }

    test::ScratchFolder folder;
};

TEST_F(BelongingTest, FurtherTracesAreKeptInOrder) {
    const auto a = trace("a.etdp", {"mm.out"});
    const auto b = trace("b.etdp", {"mm.out"});
    const auto c = trace("c.etdp", {"mm.out"});
    const auto files = placeFiles({a, b, c, b}, SessionScope::All);
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(files->trace, a);
    EXPECT_THAT(files->others, ElementsAre(TraceFiles{.trace = b}, TraceFiles{.trace = c}));
    const auto session = Session::open(*files);
    ASSERT_TRUE(session) << session.error().toString();
    ASSERT_EQ((*session)->others.size(), 2U);
    EXPECT_EQ((*session)->others[1].blocks->blocks().size(), 2U);
}

TEST_F(BelongingTest, TheRecordThatExplainsTheTraceIsTaken) {
    const auto ran = trace("a.etdp", {"mm.out", "add.out"});
    const auto wrong = record("wrong.etrecord", {"aten.convolution.default"});
    const auto right = record("right.etrecord", {"aten.mm.default", "aten.add.Tensor"});
    const auto refused = placeFiles({wrong, ran, right}, SessionScope::All);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where.file, wrong.string()) << "the one to leave out";
    EXPECT_THAT(refused.error().toString(), HasSubstr("right.etrecord"));
}

TEST_F(BelongingTest, TheTraceThatTheRecordExplainsIsTheMainOne) {
    const auto other = trace("other.etdp", {"convolution.out", "relu.out"});
    const auto ran = trace("a.etdp", {"mm.out", "add.out"});
    const auto known = record("a.etrecord", {"aten.mm.default", "aten.add.Tensor"});
    const auto files = placeFiles({other, ran, known}, SessionScope::All);
    ASSERT_TRUE(files) << files.error().toString();
    EXPECT_EQ(files->trace, ran);
    const auto session = Session::open(*files);
    ASSERT_TRUE(session);
    EXPECT_EQ((*session)->others[0].blocks->record(), nullptr) << "what it says would be wrong";
    const auto fit = belonging(**session);
    ASSERT_EQ(fit.size(), 3U);
    EXPECT_THAT(fit[0].agreesWith, ElementsAre("trace"));
    EXPECT_THAT(fit[2].contradictions, Contains(HasSubstr("other.etdp")));
    EXPECT_FALSE(canAdd(**session, (*session)->others[0]));
}

TEST_F(BelongingTest, DistinguishesTracesOfOneProgramFromOthers) {
    const auto blocks = [](const std::vector<std::string>& kernels) {
        return test::join(test::traceFor(kernels));
    };
    EXPECT_FALSE(contradiction(*blocks({"mm.out"}), *blocks({"mm.out"})));
    const auto differ = contradiction(*blocks({"mm.out"}), *blocks({"add.out"}));
    ASSERT_TRUE(differ);
    EXPECT_THAT(*differ, testing::AllOf(HasSubstr("\"mm\""), HasSubstr("\"add\"")));
}

TEST_F(BelongingTest, AProgramRunsItsOperatorsAtTheirPlaces) {
    const auto program = write("add.pte", test::writeProgram(test::addProgram()));
    SessionFiles files;
    files.program = program;
    files.trace = trace("a.etdp", {"add.out"});
    files.others = {{.trace = trace("b.etdp", {"mm.out"})},
                    {.trace = trace("c.etdp", {"add.out", "add.out"})}};
    const auto session = Session::open(files);
    ASSERT_TRUE(session) << session.error().toString();
    const auto fit = belonging(**session);
    ASSERT_EQ(fit.size(), 4U);
    EXPECT_THAT(fit[1].contradictions, IsEmpty());
    EXPECT_THAT(fit[1].agreesWith, ElementsAre("program"));
    EXPECT_THAT(fit[2].contradictions, Contains(HasSubstr("the program calls aten::add.out")));
    EXPECT_THAT(fit[3].contradictions, Contains(HasSubstr("where the program has none")));
}

TEST_F(BelongingTest, ABufferBelongsToATraceThatLogged) {
    SessionFiles files;
    files.trace = trace("a.etdp", {"add.out"});
    files.debugBuffer = write("a.bin", std::vector<std::byte>(16));
    const auto session = Session::open(files);
    ASSERT_TRUE(session);
    EXPECT_THAT(contradictions(**session), ElementsAre(HasSubstr("no debug buffer belongs to it")));
}

/// Returns a trace of one instruction that logged these tensors as one value.
std::vector<std::byte> tracedTensors(std::vector<etdump::DebugTensor> tensors) {
    etdump::TraceWriter writer;
    writer.beginRun("Execute");
    test::writeKernel(writer, 0, "native_call_add.out");
    etdump::DebugValue value;
    value.value = std::move(tensors);
    writer.debug("native_call_add.out", test::at(0), value);
    test::writeExecute(writer);
    const auto trace = test::traceOf(writer);
    return {trace->file().bytes().begin(), trace->file().bytes().end()};
}

TEST_F(BelongingTest, BufferContainsAllTensorsOfAList) {
    const etdump::DebugTensor first{.scalarType = 6, .sizes = {2}, .strides = {1}, .offset = 0};
    const etdump::DebugTensor last{.scalarType = 6, .sizes = {4}, .strides = {1}, .offset = 8};
    SessionFiles files;
    files.trace = write("a.etdp", tracedTensors({first, last}));
    files.debugBuffer = write("a.bin", std::vector<std::byte>(24));
    EXPECT_THAT(contradictions(*Session::open(files).value()), IsEmpty());
    files.debugBuffer = write("cut.bin", std::vector<std::byte>(20));
    EXPECT_THAT(contradictions(*Session::open(files).value()),
                ElementsAre(HasSubstr("16 bytes at offset 8 of its debug buffer, which has 20")));
}

TEST_F(BelongingTest, RunThatStoppedAfterACallBelongsToAnotherProgram) {
    test::ProgramSpec twice = test::addProgram();
    auto& instructions = twice.methods.front().instructions;
    instructions.push_back(instructions.front());
    SessionFiles files;
    files.program = write("twice.pte", test::writeProgram(twice));
    files.trace = trace("once.etdp", {"add.out"});
    EXPECT_THAT(
        contradictions(*Session::open(files).value()),
        ElementsAre(HasSubstr("nothing ran at instruction 1, where the program calls aten::add.out")));
}

TEST_F(BelongingTest, ARecordOfOtherInputsIsNotOfTheProgram) {
    SessionFiles files;
    files.program = write("add.pte", test::writeProgram(test::addProgram()));
    files.record = record("sub.etrecord", {"aten.sub.Tensor"});
    files.trace = trace("a.etdp", {"add.out"});
    const auto session = Session::open(files).value();
    EXPECT_EQ(session->recordOfProgram(), nullptr);
    EXPECT_THAT(
        contradictions(*session),
        Contains(HasSubstr("instruction 0 runs native_call_add.out, but the record has aten.sub.Tensor")));
    for (const Block& block : session->blocks->blocks()) {
        EXPECT_TRUE(block.method.empty());
        for (const Event& event : block.events) {
            EXPECT_THAT(event.nodes, IsEmpty()) << "what does not belong is not joined";
        }
    }
}

TEST_F(BelongingTest, WeightsBelongByLayout) {
    test::ProgramSpec spec = test::addProgram();
    spec.methods[0].values[1] =
        test::TensorSpec{.dataIndex = 1, .extra = test::ExtraSpec{.name = "w", .location = 1}};
    std::erase(spec.methods[0].inputs, 1);
    const auto weights = [&](const std::string& name, const std::vector<std::int32_t>& sizes) {
        return write(name, test::writeTensorData({.segments = {{.offset = 0, .size = 24}},
                                                  .segmentData = std::vector<std::byte>(24),
                                                  .entries = {{.key = "w", .layout = {{.sizes = sizes}}}}}));
    };
    SessionFiles files;
    files.program = write("a.pte", test::writeProgram(spec));
    files.tensorData = weights("right.ptd", {2, 3});
    const auto right = belonging(*Session::open(files).value());
    ASSERT_EQ(right.size(), 2U);
    EXPECT_THAT(right[1].contradictions, IsEmpty());
    EXPECT_THAT(right[1].agreesWith, ElementsAre("program"));
    EXPECT_THAT(right[1].note, HasSubstr("cannot be verified"));
    files.tensorData = weights("wrong.ptd", {3, 2});
    EXPECT_THAT(contradictions(*Session::open(files).value()),
                ElementsAre(HasSubstr("replaced the weights of a.pte")));
}

TEST_F(BelongingTest, RealWeightsAreComparedWithTheRecord) {
    ET_NEEDS_SHARED_DATA();
    const auto pair = test::sharedData() / "pairs" / "portable_same_sizes";
    SessionFiles files;
    files.program = pair / "a.pte";
    files.record = pair / "a.etrecord";
    files.tensorData = pair / "a.ptd";
    EXPECT_THAT(contradictions(*Session::open(files).value()), IsEmpty());
    files.tensorData = pair / "b.ptd";
    EXPECT_THAT(contradictions(*Session::open(files).value()),
                ElementsAre(HasSubstr("differ from the weights in a.etrecord")));
}

TEST_F(BelongingTest, LimitsTheNumberOfTraces) {
    const auto ran = trace("a.etdp", {"add.out"});
    const auto session = Session::open({.trace = ran, .record = {}, .debugBuffer = {}}).value();
    const std::vector<TraceFiles> many(Session::maxOthers, {.trace = ran});
    const auto full = session->withTraces(many);
    ASSERT_TRUE(full) << full.error().toString();
    EXPECT_EQ((*full)->trace, session->trace) << "not read again";
    EXPECT_FALSE((*full)->withTraces({{.trace = ran}}));
    EXPECT_FALSE(Session{}.withTraces({{.trace = ran}})) << "beside nothing";
}

TEST_F(BelongingTest, RealFilesOfOneModelBelongTogetherAndOthersDoNot) {
    ET_NEEDS_SHARED_DATA();
    const auto traces = test::sharedData() / "traces";
    const auto programs = test::sharedData() / "programs";
    SessionFiles files;
    files.trace = traces / "mobilenet_v2_small_portable" / "trace.etdp";
    files.bundle = programs / "mobilenet_v2_small" / "portable.bpte";
    files.record = programs / "mobilenet_v2_small" / "portable.etrecord";
    files.others = {{.trace = traces / "mobilenet_v2_small_portable_debug" / "trace.etdp"},
                    {.trace = traces / "bert_tiny_xnnpack" / "trace.etdp"}};
    const auto session = Session::open(files);
    ASSERT_TRUE(session) << session.error().toString();
    const auto fit = belonging(**session);
    ASSERT_EQ(fit.size(), 5U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_THAT(fit[i].contradictions, IsEmpty()) << fit[i].path;
        EXPECT_THAT(fit[i].agreesWith, testing::Not(IsEmpty())) << fit[i].path;
    }
    EXPECT_THAT(fit[4].contradictions, testing::Not(IsEmpty()));
    EXPECT_TRUE(canAdd(**session, (*session)->others[0]));
    EXPECT_FALSE(canAdd(**session, (*session)->others[1]));
}

}  // namespace
}  // namespace et::inspector
