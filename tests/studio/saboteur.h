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

/// A hostile world around a window: on a thread of its own, files that are open are cut off, written over,
/// replaced and deleted, processes that the window started are killed or stopped, and for moments nothing
/// can be written (RLIMIT_FSIZE, which SQLite, Qt and our own writers meet as EFBIG: a library in front of
/// the C library, as tests/durability has it, does not go with sanitizers).
class Saboteur {
  public:
    /// `files` are what it damages. Those that are not there at first may be there for moments.
    Saboteur(std::vector<std::filesystem::path> files, std::uint32_t seed);
    ~Saboteur();  ///< stop()
    Saboteur(const Saboteur&) = delete;
    Saboteur& operator=(const Saboteur&) = delete;

    /// Ends its work; everything is as it was before.
    void stop();

    struct Counts {
        std::uint64_t cutOff = 0, rewritten = 0, replaced = 0, deleted = 0, restored = 0;
        std::uint64_t killed = 0, stopped = 0, fullDisks = 0;
    };
    /// What it did; only after stop().
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
    std::vector<int> asleep;  ///< handles of processes that were stopped
    Counts done;
    std::atomic<bool> ends = false;
    std::thread worker;
};

}  // namespace et::test
