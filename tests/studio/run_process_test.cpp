// Tests of a child process: progress output and all ways to end.
#include "app/studio/run_process.h"

#include "tests/studio/studio_fixture.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

namespace et::studio {

namespace {

class RunProcessTest : public test::StudioTest {
  protected:
    RunProcessTest() {
        QObject::connect(&process, &RunProcess::ended, [this](const RunEnd& how) { ends.push_back(how); });
        QObject::connect(&process, &RunProcess::progressed,
                         [this](const RunProgress& line) { progress.push_back(line); });
        QObject::connect(&process, &RunProcess::printed, [this](const std::vector<RunLine>& lines) {
            printed.insert(printed.end(), lines.begin(), lines.end());
        });
    }

    /// Creates an executable with these shell commands.
    [[nodiscard]] QString script(std::string_view commands) const {
        const auto path = write("program", std::string("#!/bin/sh\n") + std::string(commands) + "\n");
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return QString::fromStdString(path.string());
    }
    [[nodiscard]] const RunEnd& waitForEnd() {
        EXPECT_TRUE(QTest::qWaitFor([this] { return !ends.empty(); }, 30'000));
        return ends.at(0);
    }

    RunProcess process;
    std::vector<RunEnd> ends;
    std::vector<RunProgress> progress;
    std::vector<RunLine> printed;
};

TEST(RunProgressTest, ReadsDeviceSteps) {
    const auto line = readProgress(
        R"({"progress": 1, "phase": "run", "done": 12, "total": 50, "seconds": 0.5, "times": {"executions": 3,)"
        R"( "last_ns": 900, "min_ns": 800, "max_ns": 1000, "avg_ns": 890}, "device": {"core": 1,)"
        R"( "kilohertz": [1800000, 0], "millicelsius": 61500, "throttled": 4, "available_bytes": 1000}})");
    ASSERT_TRUE(line && line->gauge && line->gauge->device);
    EXPECT_EQ(line->gauge->seconds, 0.5);
    EXPECT_EQ(line->gauge->times.executions, 3U);
    EXPECT_EQ(line->gauge->times.last, 900);
    EXPECT_EQ(line->gauge->times.least, 800);
    EXPECT_EQ(line->gauge->times.most, 1000);
    const visualizers::DeviceReading& device = *line->gauge->device;
    EXPECT_EQ(device.core, 1);
    EXPECT_EQ(device.hertz, (std::vector<double>{1.8e9, 0}));
    EXPECT_DOUBLE_EQ(*device.celsius, 61.5);
    EXPECT_EQ(device.throttled, 4U);
    EXPECT_EQ(device.availableBytes, 1000);
    EXPECT_FALSE(device.memoryPressure);
    const auto odd =
        readProgress(R"({"progress": 1, "times": {"executions": -3}, "device": [1, 2], "seconds": "soon"})");
    ASSERT_TRUE(odd);
    EXPECT_FALSE(odd->gauge);
    const auto wrong = readProgress(
        R"({"progress": 1, "times": {"executions": 3, "last_ns": "x"}, "device": {"kilohertz": {"a": 1}}})");
    ASSERT_TRUE(wrong && wrong->gauge);
    EXPECT_TRUE(wrong->gauge->device->hertz.empty());
}

TEST(RunProgressTest, LinesAreReadAndOthersAreNot) {
    const auto line =
        readProgress(R"({"progress": 1, "phase": "run", "done": 12, "total": 50, "seconds": 0.5})");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->phase, QStringLiteral("run"));
    EXPECT_EQ(line->done, 12);
    EXPECT_EQ(line->total, 50);
    EXPECT_EQ(line->seconds, 0.5);
    EXPECT_FALSE(line->gauge) << "nothing is told of the device";
    EXPECT_FALSE(readProgress("et-inspect: a warning"));
    EXPECT_FALSE(readProgress(R"({"progress": 2})"));
    EXPECT_FALSE(readProgress("{half of a line"));
    EXPECT_FALSE(readProgress(""));
}

TEST_F(RunProcessTest, GivesOutputProgressAndLog) {
    process.start(script(R"(echo "$@"; echo said >&2; printf '{"progress": 1, "phase": "load"' >&2
echo ', "done": 1, "total": 2, "seconds": 0}' >&2; printf unfinished >&2; exit 7)"),
                  {QStringLiteral("verify"), QStringLiteral("--"), QStringLiteral("a file")});
    EXPECT_TRUE(process.running());
    const RunEnd& end = waitForEnd();
    EXPECT_EQ(end.kind, RunEnd::Kind::Finished);
    EXPECT_EQ(end.exitCode, 7);
    EXPECT_EQ(end.output, "verify --progress=json -- a file\n");
    EXPECT_EQ(end.log, "said\nunfinished");
    ASSERT_EQ(progress.size(), 1U);
    EXPECT_EQ(progress[0].phase, QStringLiteral("load"));
    EXPECT_FALSE(process.running());
}

TEST_F(RunProcessTest, ReportsLinesDuringTheRun) {
    const auto gate = folder() / "gate";
    ASSERT_EQ(::mkfifo(gate.c_str(), S_IRUSR | S_IWUSR), 0);
    // Prints the second line only after the first has been read.
    process.start(script("echo first >&2; read x <" + gate.string() +
                         "; echo '{\"progress\": 1, \"phase\": \"run\", \"done\": 1, \"total\": 2, "
                         "\"seconds\": 0.5}' >&2; echo plain; echo '{\"result\": 1}'"),
                  {});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !printed.empty(); }, 30'000));
    EXPECT_TRUE(process.running());
    EXPECT_EQ(printed.size(), 1U);
    EXPECT_EQ(printed[0].kind, RunLine::Kind::Error);
    EXPECT_EQ(printed[0].text, QStringLiteral("first"));
    std::ofstream(gate) << "go\n";
    const RunEnd& end = waitForEnd();
    EXPECT_EQ(end.output, "plain\n{\"result\": 1}\n");
    ASSERT_EQ(printed.size(), 3U) << "the result is no line of the log";
    const auto text = [this](RunLine::Kind kind) {
        const auto found = std::ranges::find(printed, kind, &RunLine::kind);
        return found == printed.end() ? QString() : found->text;
    };
    EXPECT_EQ(text(RunLine::Kind::Progress), QStringLiteral("run: 1 of 2, after 0.5 s"));
    EXPECT_EQ(text(RunLine::Kind::Output), QStringLiteral("plain"));
}

TEST_F(RunProcessTest, ALineWithoutAnEndIsCutAndKeepsNoMemory) {
    process.start(script("head -c 3000000 /dev/zero | tr '\\0' x >&2"), {});
    const RunEnd& end = waitForEnd();
    EXPECT_LE(end.log.size(), qsizetype{1} << 20);
    ASSERT_GT(printed.size(), 10U);
    for (const RunLine& line : printed) {
        EXPECT_LE(line.text.size(), 2001);
    }
}

TEST_F(RunProcessTest, ReportsCrash) {
    process.start(script("kill -SEGV $$"), {});
    const RunEnd& end = waitForEnd();
    EXPECT_EQ(end.kind, RunEnd::Kind::Crashed);
    EXPECT_TRUE(end.message.contains(QStringLiteral("signal 11"))) << end.message.toStdString();
}

TEST_F(RunProcessTest, EndsWhenCancelled) {
    process.start(script(R"(echo '{"progress": 1}' >&2; exec sleep 1000)"), {});
    QObject::connect(&process, &RunProcess::progressed, &process, &RunProcess::cancel);
    EXPECT_EQ(waitForEnd().kind, RunEnd::Kind::Cancelled);
}

TEST_F(RunProcessTest, IsKilledIfItIgnoresCancel) {
    process.start(script(R"(trap '' TERM; echo '{"progress": 1}' >&2; while :; do sleep 1; done)"), {});
    QObject::connect(&process, &RunProcess::progressed, &process, &RunProcess::cancel);
    EXPECT_EQ(waitForEnd().kind, RunEnd::Kind::Cancelled);
}

TEST_F(RunProcessTest, ReportsMissingExecutable) {
    process.start(QStringLiteral("/nowhere/et-inspect"), {});
    EXPECT_EQ(waitForEnd().kind, RunEnd::Kind::NotStarted);
    EXPECT_TRUE(waitForEnd().message.contains(QStringLiteral("/nowhere/et-inspect")));
}

TEST_F(RunProcessTest, EmptyPathErrorListsSearchedFolders) {
    process.start({}, {});
    EXPECT_EQ(waitForEnd().kind, RunEnd::Kind::NotStarted);
    EXPECT_TRUE(waitForEnd().message.contains(QStringLiteral("PATH")));
}

TEST_F(RunProcessTest, SettingSelectsTheExecutable) {
    QSettings settings(QString::fromStdString((folder() / "s.ini").string()), QSettings::IniFormat);
    settings.setValue(QStringLiteral("run/program"), QStringLiteral("/somewhere/et-inspect"));
    EXPECT_EQ(RunProcess::findProgram(settings), QStringLiteral("/somewhere/et-inspect"));
}

TEST_F(RunProcessTest, FallsBackToTheLauncher) {
    const QSettings settings(QString::fromStdString((folder() / "s.ini").string()), QSettings::IniFormat);
    qputenv("ET_INSPECT_LAUNCHER", "/checkout/bin/et-inspect");
    EXPECT_EQ(RunProcess::findProgram(settings), QStringLiteral("/checkout/bin/et-inspect"));
    qunsetenv("ET_INSPECT_LAUNCHER");
}

}  // namespace

}  // namespace et::studio
