#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace et::test {

/// Injects faults around a window on a separate thread: truncates, overwrites, replaces and deletes open
/// files, kills or stops the window's child processes, and at times makes writes fail (RLIMIT_FSIZE, reported
/// to SQLite, Qt and our own writers as EFBIG; a library preloaded before the C library, as in
/// tests/durability, does not work with sanitizers).
class Saboteur {
  public:
    /// `files` are damaged. Those that do not exist at first may exist at times.
    Saboteur(std::vector<std::filesystem::path> files, std::uint32_t seed);
    ~Saboteur();  ///< stop()
    Saboteur(const Saboteur&) = delete;
    Saboteur& operator=(const Saboteur&) = delete;

    /// Stops and restores the original state.
    void stop();

    struct Counts {
        std::uint64_t cutOff = 0, rewritten = 0, replaced = 0, deleted = 0, restored = 0;
        std::uint64_t killed = 0, stopped = 0, fullDisks = 0;
    };
    /// Number of faults injected; valid after stop().
    [[nodiscard]] const Counts& counts() const { return done; }

  private:
    struct Victim {
        std::filesystem::path path;
        std::string content;
        bool wasThere = false;
    };
    void work();
    void strike();
    void restore(const Victim& victim);
    void hitChild();
    void signalOne(int handle);
    void fillDisk();
    void wakeStopped();
    [[nodiscard]] std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
    }

    std::vector<Victim> victims;
    std::mt19937 random;
    std::vector<int> asleep;  ///< handles of stopped processes
    Counts done;
    std::atomic<bool> ends = false;
    std::thread worker;
};

}  // namespace et::test
