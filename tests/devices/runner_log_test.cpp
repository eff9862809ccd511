// Tests parsing the times in ExecuTorch's executor_runner log, in the formats of several versions.
#include "app/devices/runner_log.h"

#include <gtest/gtest.h>

namespace et::devices {
namespace {

using Times = std::vector<double>;

TEST(RunnerLog, ReadsEachExecution) {
    const RunnerLog log = readRunnerLog(
        "I 00:00:00.000338 executorch:executor_runner.cpp:400] Model file add.pte is loaded.\n"
        "I 00:00:00.000341 executorch:executor_runner.cpp:409] Using method decode\r\n"
        "I 00:00:00.000502 executorch:executor_runner.cpp:520] Model loaded in 0.250000 ms.\n"
        "I 00:00:00.000510 executorch:executor_runner.cpp:690] Iteration 1 of 2: 0.125000 ms\n"
        "I 00:00:00.000511 executorch:executor_runner.cpp:690] Iteration 2 of 2: 0.500000 ms\n"
        "I 00:00:00.000512 executorch:executor_runner.cpp:700] Model executed successfully 2 time(s) in "
        "0.625000 "
        "ms.\nOutputX 0: tensor(sizes=[1], [2.])");
    EXPECT_EQ(log.method, "decode");
    EXPECT_EQ(log.loadNanoseconds, Times{250'000});
    EXPECT_EQ(log.executionNanoseconds, (Times{125'000, 500'000}));
}

TEST(RunnerLog, OlderLogsGiveAverages) {
    const RunnerLog log = readRunnerLog(
        "Model executed successfully 4 time(s) in 10.0 ms.\nIteration 1 of 1: 3 ms\n"
        "Model executed successfully 1 time(s) in 3 ms.\nModel executed successfully 2 time(s) in 1 ms.");
    EXPECT_EQ(log.executionNanoseconds, (Times{2'500'000, 3'000'000, 500'000}));
    EXPECT_TRUE(log.method.empty());
}

TEST(RunnerLog, IgnoresOtherLines) {
    for (const char* const text :
         {"", "Iteration", "Iteration 1 of 2", "Iteration 1 of 2: x ms", "Iteration 1 of 2: -1 ms",
          "Iteration 1 of 2: nan ms", "Iteration 1 of 2: 1e99 ms", "Iteration 1 of 2: 1 s",
          "Iteration x of 2: 1 ms", "Model executed successfully.",
          "Model executed successfully 0 time(s) in 1 ms.", "Model executed successfully 2 time(s) in ms.",
          "Model loaded in 1 ms."}) {
        EXPECT_TRUE(readRunnerLog(text).executionNanoseconds.empty()) << text;
    }
    EXPECT_TRUE(readRunnerLog("Model loaded in no time.").loadNanoseconds.empty());
}

}  // namespace
}  // namespace et::devices
