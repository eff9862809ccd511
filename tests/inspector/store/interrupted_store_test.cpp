#include "inspector/store/baseline_store.h"
#include "tests/inspector/store/store_support.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

// Tests of processes that die while saving, and of concurrent saves.
namespace et::inspector::store {
namespace {

namespace fs = std::filesystem;
using test::asLoaded;
using test::madeUpMeasurement;
using test::openStore;

/// SQLite's file functions with an injected crash: the process kills itself with SIGKILL at a given write,
/// sync or truncation, optionally with half of the bytes written.
struct Doom {
    int callsLeft = 0;
    bool half = false;
    sqlite3_io_methods original{};  ///< common to all kinds of files
    /// Modified functions per kind of file (a database locks, a journal does not).
    std::map<const sqlite3_io_methods*, sqlite3_io_methods> changed{};
    int (*open)(sqlite3_vfs*, const char*, sqlite3_file*, int, int*) = nullptr;
};
Doom doom;

bool isLast() {
    return --doom.callsLeft <= 0;
}

int doomedWrite(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    if (isLast()) {
        if (doom.half) {
            doom.original.xWrite(file, bytes, size / 2, offset);
        }
        raise(SIGKILL);
    }
    return doom.original.xWrite(file, bytes, size, offset);
}

int doomedSync(sqlite3_file* file, int flags) {
    if (isLast()) {
        raise(SIGKILL);
    }
    return doom.original.xSync(file, flags);
}

int doomedTruncate(sqlite3_file* file, sqlite3_int64 size) {
    if (isLast()) {
        raise(SIGKILL);
    }
    return doom.original.xTruncate(file, size);
}

int doomedOpen(sqlite3_vfs* system, const char* name, sqlite3_file* file, int flags, int* outFlags) {
    const int code = doom.open(system, name, file, flags, outFlags);
    if (code == SQLITE_OK && file->pMethods != nullptr) {
        doom.original = *file->pMethods;
        sqlite3_io_methods& changed = doom.changed.try_emplace(file->pMethods, *file->pMethods).first->second;
        changed.xWrite = doomedWrite;
        changed.xSync = doomedSync;
        changed.xTruncate = doomedTruncate;
        file->pMethods = &changed;
    }
    return code;
}

void die(int atCall, bool half) {
    sqlite3_vfs* const system = sqlite3_vfs_find(nullptr);
    doom.callsLeft = atCall;
    doom.half = half;
    doom.open = system->xOpen;
    system->xOpen = doomedOpen;
}

/// Runs `work` in a child process; returns the signal that ended it, or 0.
int inChild(const std::function<bool()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(work() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

bool save(const fs::path& path, const std::string& name, std::uint64_t seed) {
    auto store = BaselineStore::open(path);
    return store && store->save(name, madeUpMeasurement(seed), Existing::Replace);
}

TEST(InterruptedStore, KilledSaveKeepsExistingData) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "s.db";
    ASSERT_TRUE(save(path, "first", 1));
    ASSERT_TRUE(save(path, "changed", 2));
    std::uint64_t changed = 2;
    std::mt19937_64 random(20'26);
    int killed = 0;
    int finished = 0;
    for (std::uint64_t i = 0; i < 100; ++i) {
        constexpr std::uint64_t maxCalls = 70;
        const int at = static_cast<int>(random() % maxCalls) + 1;
        const std::uint64_t next = 100 + i;
        const bool fresh = i % 2 == 0;
        const std::string name = fresh ? "new" + std::to_string(i) : "changed";
        const int signal = inChild([&] {
            die(at, i % 3 == 0);
            return save(path, name, next);
        });
        (signal == SIGKILL ? killed : finished) += 1;
        ASSERT_EQ(test::integrityOf(path), "ok") << "killed at call " << at;
        const BaselineStore store = openStore(path);
        EXPECT_EQ(*store.load("first"), asLoaded(madeUpMeasurement(1), "first"));
        const auto now = store.load("changed");
        ASSERT_TRUE(now);
        if (!fresh && *now == asLoaded(madeUpMeasurement(next), "changed")) {
            changed = next;  // it died after all was done
        }
        EXPECT_EQ(*now, asLoaded(madeUpMeasurement(changed), "changed"));
        if (const auto added = store.load(name); fresh && added) {
            EXPECT_EQ(*added, asLoaded(madeUpMeasurement(next), name));
        } else if (fresh) {
            EXPECT_EQ(signal, SIGKILL) << "a save that was not killed is there";
        }
    }
    EXPECT_GE(killed, 50);
    EXPECT_GT(finished, 0) << "the calls that are killed reach the end of a save";
}

TEST(InterruptedStore, StoreKilledDuringCreationIsRecreated) {
    int killed = 0;
    for (int at = 1; at <= 30; ++at) {
        const test::ScratchFolder folder;
        const fs::path path = folder.path() / "s.db";
        killed += inChild([&] {
                      die(at, at % 2 == 0);
                      return save(path, "one", 1);
                  }) == SIGKILL
                      ? 1
                      : 0;
        ASSERT_TRUE(save(path, "two", 2)) << "killed at call " << at;
        EXPECT_EQ(test::integrityOf(path), "ok");
        EXPECT_EQ(*openStore(path).load("two"), asLoaded(madeUpMeasurement(2), "two"));
    }
    EXPECT_GT(killed, 20);
}

TEST(InterruptedStore, TwoProcessesThatSaveAtOnceLoseNothing) {
    const test::ScratchFolder folder;
    const fs::path path = folder.path() / "s.db";
    constexpr std::uint64_t each = 15;
    std::vector<pid_t> children;
    for (const char side : {'a', 'b'}) {
        const pid_t child = fork();
        if (child == 0) {
            bool all = true;
            for (std::uint64_t i = 0; i < each; ++i) {
                all = save(path, side + std::to_string(i), i) && all;
            }
            _exit(all ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const BaselineStore store = openStore(path);
    EXPECT_EQ(store.list()->size(), 2 * each);
    for (const char side : {'a', 'b'}) {
        for (std::uint64_t i = 0; i < each; ++i) {
            const std::string name = side + std::to_string(i);
            EXPECT_EQ(*store.load(name), asLoaded(madeUpMeasurement(i), name));
        }
    }
    EXPECT_EQ(test::integrityOf(path), "ok");
}

}  // namespace
}  // namespace et::inspector::store
