// Tests of loading in the background: results by signal, cancelling, and endless files.
#include "app/studio/session_loader.h"

#include "tests/studio/studio_fixture.h"

#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <vector>

namespace et::studio {

namespace {

using SessionLoaderTest = test::StudioTest;

/// Number of threads of this process.
std::ptrdiff_t threadCount() {
    const std::filesystem::directory_iterator all("/proc/self/task");
    return std::distance(begin(all), end(all));
}

/// Waits until there are only as many threads as `before`, so that all workers have ended, and processes
/// what they have queued.
bool waitForWorkers(std::ptrdiff_t before) {
    const bool haveEnded = QTest::qWaitFor([&] { return threadCount() <= before; }, 30'000);
    QTest::qWait(0);
    return haveEnded;
}

TEST_F(SessionLoaderTest, DeliversOnItsOwnThread) {
    SessionLoader loader;
    LoadOutcome got;
    const QThread* thread = nullptr;
    QObject::connect(&loader, &SessionLoader::finished, [&](const LoadOutcome& outcome) {
        got = outcome;
        thread = QThread::currentThread();
    });
    loader.open(samplePaths(), {});
    EXPECT_TRUE(loader.busy());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !loader.busy(); }));
    EXPECT_TRUE(got.session);
    EXPECT_EQ(thread, QThread::currentThread());
}

TEST_F(SessionLoaderTest, ANewRequestReplacesTheOneBefore) {
    SessionLoader loader;
    std::vector<std::filesystem::path> opened;
    QObject::connect(&loader, &SessionLoader::finished,
                     [&](const LoadOutcome& outcome) { opened.push_back(outcome.session->files.trace); });
    const auto first = write("first.etdp", test::smallTrace(2));
    const auto second = write("second.etdp", test::smallTrace(3));
    const std::ptrdiff_t before = threadCount();
    loader.open({first}, {});
    loader.open({second}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !loader.busy(); }));
    ASSERT_TRUE(waitForWorkers(before));
    EXPECT_EQ(opened, std::vector{second});
}

TEST_F(SessionLoaderTest, CancelDeliversNothing) {
    SessionLoader loader;
    const QSignalSpy cancelled(&loader, &SessionLoader::cancelled);
    int finished = 0;
    QObject::connect(&loader, &SessionLoader::finished, [&] { ++finished; });
    const auto paths = samplePaths();
    const std::ptrdiff_t before = threadCount();
    loader.open(paths, {});
    loader.cancel();
    EXPECT_FALSE(loader.busy());
    ASSERT_TRUE(waitForWorkers(before));
    EXPECT_EQ(finished, 0);
    EXPECT_EQ(cancelled.count(), 1);
    loader.cancel();
    EXPECT_EQ(cancelled.count(), 1) << "nothing to cancel";
}

TEST_F(SessionLoaderTest, PipeWithoutWriterDoesNotBlock) {
    const auto pipe = folder() / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    SessionLoader loader;
    const QSignalSpy slow(&loader, &SessionLoader::slow);
    loader.open({pipe}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return slow.count() == 1; })) << "says that it takes long";
    loader.cancel();
    EXPECT_FALSE(loader.busy());
    // The loader is destroyed although its worker still waits for the pipe.
}

}  // namespace

}  // namespace et::studio
