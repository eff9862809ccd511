#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace et::core {

/// Owns an open file descriptor, or none.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int open) : number(open) {}
    Descriptor(Descriptor&& other) noexcept : number(std::exchange(other.number, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number = std::exchange(other.number, -1);
        }
        return *this;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    /// -1: none.
    [[nodiscard]] int get() const { return number; }
    explicit operator bool() const { return number >= 0; }

    /// Returns 0 or errno; on an error, written data may be lost.
    int close();

  private:
    int number = -1;
};

/// Both ends of a pipe, not inherited by child processes.
struct Pipe {
    Descriptor read;
    Descriptor write;

    /// Errors: Io.
    [[nodiscard]] static Result<Pipe> make();
};

/// Writes all of `bytes`. Returns 0 or errno.
[[nodiscard]] int writeAll(int descriptor, std::span<const std::byte> bytes);

/// Waits at most `patience` until data or the end of file can be read.
[[nodiscard]] bool readable(const Descriptor& from, std::chrono::milliseconds patience);

/// "WHAT: No such file or directory" for an errno.
[[nodiscard]] Error systemError(std::string_view what, int number, std::string file = {});

}  // namespace et::core
