#pragma once

#include "app/cli/dap/engine.h"
#include "app/cli/dap/interrupter.h"
#include "runtime/core/child_process.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::dap {

/// A child process `et-inspect debug --format json`.
class EngineProcess final : public Engine {
  public:
    /// Receives lines that the process writes to stderr.
    using Output = std::function<void(std::string line)>;

    /// `interrupter` must outlive the process. Errors: Io.
    [[nodiscard]] static core::Result<std::unique_ptr<EngineProcess>> start(
        const std::vector<std::string>& arguments, Interrupter& interrupter, Output output);
    /// Closes the input of the process, and kills it if it does not end within seconds.
    ~EngineProcess() override;

  protected:
    [[nodiscard]] core::Result<std::string> exchange(std::string_view line) override;

  private:
    struct Pipes {
        core::Descriptor commands;
        core::Descriptor answers;
        core::Descriptor messages;
    };
    EngineProcess(core::ChildProcess started, Pipes all, Interrupter& by, Output to)
        : process(std::move(started)), pipes(std::move(all)), interrupter(by), output(std::move(to)) {}

    /// Appends available bytes; false at the end of the stream.
    [[nodiscard]] static bool readSome(const core::Descriptor& from, std::string& into);
    void passMessages();
    /// Reads until an answer is complete. Errors: Io, Limit.
    [[nodiscard]] core::Result<std::string> readAnswer();
    [[nodiscard]] core::Error ended();

    core::ChildProcess process;
    Pipes pipes;
    Interrupter& interrupter;
    Output output;
    std::string answerBytes;   ///< an incomplete line
    std::string messageBytes;  ///< an incomplete line
    std::string lastMessage;
};

}  // namespace et::cli::dap
