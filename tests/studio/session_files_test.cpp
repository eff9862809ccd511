// Tests of which files open together, and of errors for those that do not.
#include "app/studio/session_files.h"

#include "inspector/session/placement.h"
#include "tests/studio/studio_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::studio {

namespace {

using inspector::SessionFiles;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAre;
using SessionFilesTest = test::StudioTest;

LoadOutcome loadNow(const std::vector<std::filesystem::path>& paths) {
    return load(paths, {}, std::stop_token{});
}

/// Returns the files of the session that `paths` lead to: the open ones with them, or only them.
std::vector<std::filesystem::path> withOpenFiles(const std::vector<std::filesystem::path>& paths,
                                                 const inspector::Session& open) {
    const auto joined = inspector::placeAdditionalFiles(inspector::recognizeFiles(paths).value(), open);
    return joined ? pathsOf(*joined) : paths;
}

TEST_F(SessionFilesTest, OpensAnyMixByContent) {
    const SessionFiles files = sample();
    const LoadOutcome outcome = loadNow({files.debugBuffer, files.record, files.trace});
    EXPECT_THAT(outcome.problems, IsEmpty());
    ASSERT_TRUE(outcome.session);
    EXPECT_EQ(outcome.session->files.trace, files.trace);
    EXPECT_TRUE(outcome.session->record);
    EXPECT_TRUE(outcome.session->debugBuffer);
}

TEST_F(SessionFilesTest, ShowsTheTraceOfADamagedRecord) {
    const SessionFiles files = sample();
    const auto broken = write("broken.etrecord", "PK\x03\x04 and then nothing of a zip");
    const LoadOutcome outcome = loadNow({files.trace, broken});
    ASSERT_TRUE(outcome.session);
    EXPECT_FALSE(outcome.session->record);
    EXPECT_THAT(outcome.problems, ElementsAre(StartsWith(broken.string())));
}

TEST_F(SessionFilesTest, NamesEachFileThatCannotBeUsed) {
    const SessionFiles files = sample();
    const auto second = write("second.etrecord", "PK\x03\x04 and then nothing of a zip");
    const auto missing = folder() / "missing.etrecord";
    const LoadOutcome outcome = loadNow({files.trace, second, missing, files.record});
    ASSERT_TRUE(outcome.session);
    EXPECT_EQ(outcome.session->files.trace, files.trace);
    EXPECT_EQ(outcome.session->files.record, files.record) << "the one that can be read";
    EXPECT_THAT(outcome.problems,
                UnorderedElementsAre(StartsWith(second.string()), StartsWith(missing.string())));
}

TEST_F(SessionFilesTest, RefusesABrokenTraceInOneLine) {
    const std::vector<std::byte> whole = test::smallTrace(2);
    const auto cut = write("cut.etdp", std::vector(whole.begin(), whole.begin() + 100));
    const LoadOutcome outcome = loadNow({cut});
    EXPECT_FALSE(outcome.session);
    EXPECT_THAT(outcome.problems, ElementsAre(StartsWith(cut.string())));
    EXPECT_EQ(outcome.problems[0].find('\n'), std::string::npos);
}

TEST_F(SessionFilesTest, RefusesAFileOfNoKnownKind) {
    const auto letter = write("letter.txt", "dear model");
    const LoadOutcome outcome = loadNow({letter});
    EXPECT_FALSE(outcome.session);
    EXPECT_THAT(outcome.problems, ElementsAre(HasSubstr("letter.txt")));
}

TEST_F(SessionFilesTest, StopsOnRequest) {
    std::stop_source source;
    source.request_stop();
    const LoadOutcome outcome = load(samplePaths(), {}, source.get_token());
    EXPECT_FALSE(outcome.session);
    EXPECT_THAT(outcome.problems, IsEmpty());
}

TEST_F(SessionFilesTest, SeveralTracesOpenTogether) {
    const auto a = write("a.etdp", test::smallTrace(2));
    const auto b = write("b.etdp", test::smallTrace(3));
    const LoadOutcome outcome = loadNow({a, b});
    EXPECT_THAT(outcome.problems, IsEmpty());
    ASSERT_TRUE(outcome.session);
    EXPECT_EQ(outcome.session->files.trace, a);
    ASSERT_EQ(outcome.session->others.size(), 1U);
    EXPECT_EQ(outcome.session->others[0].files.trace, b);
    EXPECT_THAT(pathsOf(outcome.session->files), ElementsAre(a, b));
}

TEST_F(SessionFilesTest, ADamagedTraceLeavesTheOthers) {
    const std::vector<std::byte> whole = test::smallTrace(2);
    const auto cut = write("cut.etdp", std::vector(whole.begin(), whole.begin() + 100));
    const auto good = write("good.etdp", whole);
    const auto other = write("other.etdp", test::smallTrace(3));
    for (const auto& paths : {std::vector{cut, good, other}, std::vector{good, cut, other}}) {
        const LoadOutcome outcome = loadNow(paths);
        EXPECT_THAT(outcome.problems, ElementsAre(StartsWith(cut.string())));
        ASSERT_TRUE(outcome.session);
        EXPECT_EQ(outcome.session->files.trace, good);
        ASSERT_EQ(outcome.session->others.size(), 1U);
        EXPECT_EQ(outcome.session->others[0].files.trace, other);
    }
}

TEST_F(SessionFilesTest, TraceOfTheSameProgramIsAdded) {
    const auto open =
        test::openSession({.trace = write("a.etdp", test::smallTrace(2)), .record = {}, .debugBuffer = {}});
    const auto same = write("b.etdp", test::smallTrace(3));
    const auto foreign = sample().trace;
    const auto arrive = [&](const std::filesystem::path& path, OpenEffect arrival) {
        return add({path}, *open, arrival, {}, std::stop_token{}).session;
    };
    const auto joined = arrive(same, OpenEffect::AsFits);
    ASSERT_TRUE(joined);
    EXPECT_EQ(joined->trace, open->trace) << "not read again";
    ASSERT_EQ(joined->others.size(), 1U);
    EXPECT_EQ(arrive(foreign, OpenEffect::AsFits)->files.trace, foreign) << "replaces what is open";
    EXPECT_EQ(arrive(foreign, OpenEffect::Beside)->others.at(0).files.trace, foreign);
    EXPECT_TRUE(arrive(open->files.trace, OpenEffect::AsFits)->others.empty())
        << "the same file is read again";
}

TEST_F(SessionFilesTest, RemovesTheOldestOfTooManyTraces) {
    auto session =
        test::openSession({.trace = write("a.etdp", test::smallTrace(2)), .record = {}, .debugBuffer = {}});
    for (std::size_t i = 0; i <= inspector::Session::maxOthers; ++i) {
        const auto next = write("next" + std::to_string(i) + ".etdp", test::smallTrace(2));
        session = add({next}, *session, OpenEffect::AsFits, {}, std::stop_token{}).session;
        ASSERT_TRUE(session);
    }
    ASSERT_EQ(session->others.size(), inspector::Session::maxOthers);
    EXPECT_EQ(session->others.front().files.trace.filename(), "next1.etdp");
    const SessionFiles swapped = withMainTrace(session->files, 2);
    EXPECT_EQ(swapped.trace.filename(), "next3.etdp");
    EXPECT_EQ(swapped.others[2].trace.filename(), "a.etdp");
}

TEST_F(SessionFilesTest, ARecordJoinsTheOpenTrace) {
    const SessionFiles files = sample();
    const auto open = test::openSession({files.trace, {}, files.debugBuffer});
    EXPECT_THAT(withOpenFiles({files.record}, *open),
                ElementsAre(files.trace, files.record, files.debugBuffer));
    const auto other = write("other.etdp", test::smallTrace(2));
    EXPECT_THAT(withOpenFiles({other}, *open), ElementsAre(other)) << "a trace replaces what is open";
    EXPECT_THAT(withOpenFiles({other, files.record}, *open), ElementsAre(other, files.record));
}

TEST_F(SessionFilesTest, AKindThatIsNotOpenYetIsAdded) {
    const auto files = inspector::placeFiles(runSamplePaths(), inspector::SessionScope::All);
    ASSERT_TRUE(files);
    const auto open = test::openSession({files->trace, files->record, {}});
    EXPECT_THAT(withOpenFiles({files->bundle}, *open),
                ElementsAre(files->trace, files->record, files->bundle));
    EXPECT_THAT(withOpenFiles({files->program}, *open),
                ElementsAre(files->trace, files->record, files->program));
    SessionFiles both;
    both.trace = files->trace;
    both.bundle = files->bundle;
    EXPECT_THAT(withOpenFiles({files->bundle}, *test::openSession(both)), ElementsAre(files->bundle))
        << "another bundle starts anew";
}

TEST_F(SessionFilesTest, ShowsTheTraceOfADamagedBundle) {
    const SessionFiles files = sample();
    const auto broken = write("broken.bpte", std::string_view("\x08\0\0\0BP08 and then nothing", 25));
    const LoadOutcome outcome = loadNow({files.trace, broken});
    ASSERT_TRUE(outcome.session);
    EXPECT_FALSE(outcome.session->bundle);
    EXPECT_EQ(outcome.problems.size(), 1U);
}

TEST_F(SessionFilesTest, ATraceJoinsTheOpenRecord) {
    const SessionFiles files = sample();
    const auto open = test::openSession({{}, files.record, {}});
    EXPECT_THAT(withOpenFiles({files.trace}, *open), UnorderedElementsAre(files.trace, files.record));
}

TEST_F(SessionFilesTest, AnUnknownFileIsADebugBufferOnlyWhereValuesAreLogged) {
    const SessionFiles files = sample();
    const auto letter = write("letter.txt", "dear model");
    EXPECT_THAT(withOpenFiles({letter}, *test::openSession({files.trace, {}, {}})),
                ElementsAre(files.trace, letter));
    const auto silent = write("silent.etdp", test::smallTrace(2));
    EXPECT_THAT(withOpenFiles({letter}, *test::openSession({silent, {}, {}})), ElementsAre(letter));
}

TEST_F(SessionFilesTest, RejoinsInAnotherUnit) {
    const auto open = test::openSession(sample());
    const LoadOutcome outcome = rejoin(*open, {.target = inspector::TimeScale::Microseconds});
    ASSERT_TRUE(outcome.session);
    EXPECT_EQ(outcome.session->trace, open->trace) << "not read again";
    EXPECT_EQ(outcome.session->blocks->options().target, inspector::TimeScale::Microseconds);
    const LoadOutcome mixed = rejoin(*open, {.target = inspector::TimeScale::Cycles});
    EXPECT_FALSE(mixed.session);
    EXPECT_EQ(mixed.problems.size(), 1U);
}

}  // namespace

}  // namespace et::studio
