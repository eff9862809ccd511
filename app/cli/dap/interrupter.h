#pragma once

#include <sys/types.h>

#include <mutex>

namespace et::cli::dap {

/// Interrupts the command that an engine's process executes, from any thread.
class Interrupter {
  public:
    /// Sends SIGINT to the process now if it executes a command, and at the start of each command until
    /// clear().
    void interrupt();
    void clear();
    [[nodiscard]] bool isRequested() const;

    /// Exists while a process executes a command.
    class Running {
      public:
        Running(Interrupter& of, pid_t process);
        ~Running();
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;

      private:
        Interrupter& owner;
    };

  private:
    mutable std::mutex access;
    pid_t running = -1;
    bool requested = false;
};

}  // namespace et::cli::dap
