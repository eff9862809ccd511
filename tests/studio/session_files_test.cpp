// Which files open together, and what is said of those that cannot.
#include "app/studio/session_files.h"

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

LoadOutcome loadNow(std::vector<std::filesystem::path> paths) {
    return load(std::move(paths), {}, std::stop_token{});
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
    const auto second = write("second.etdp", test::smallTrace(2));
    const auto missing = folder() / "missing.etrecord";
    const LoadOutcome outcome = loadNow({files.trace, second, missing});
    ASSERT_TRUE(outcome.session);
    EXPECT_EQ(outcome.session->files.trace, files.trace);
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

TEST_F(SessionFilesTest, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const LoadOutcome outcome = load(samplePaths(), {}, source.get_token());
    EXPECT_FALSE(outcome.session);
    EXPECT_THAT(outcome.problems, IsEmpty());
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
    const auto files = inspector::Session::sort(runSamplePaths(), inspector::SessionScope::All);
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
