#include "runtime/core/fork_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace et::core {
namespace {

/// Exit code of a forked child that acquires a ForkLock.
int exitOfChild() {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(20);
        const ForkLock one;
        const ForkLock two;
        ::_exit(7);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ForkLockTest, ForkWaitsForTheLockHolder) {
    std::atomic<bool> holds = false;
    std::atomic<bool> isOver = false;
    const std::jthread other([&] {
        const ForkLock outer;
        const ForkLock inner;
        holds = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        isOver = true;
    });
    while (!holds) {
        std::this_thread::yield();
    }
    EXPECT_EQ(exitOfChild(), 7);
    EXPECT_TRUE(isOver);
}

TEST(ForkLockTest, ManyForksAmongThreadsThatTakeIt) {
    std::atomic<bool> isOver = false;
    const auto work = [&] {
        while (!isOver) {
            const ForkLock lock;
            std::this_thread::yield();
        }
    };
    {
        const std::jthread one(work);
        const std::jthread two(work);
        for (int i = 0; i < 100; ++i) {
            ASSERT_EQ(exitOfChild(), 7);
        }
        isOver = true;
    }
}

}  // namespace
}  // namespace et::core
