#pragma once

#include "app/cli/dap/engine.h"

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {

/// An engine of the debug adapter that answers from a function, and records the commands.
class FakeEngine final : public cli::dap::Engine {
  public:
    using Answers = std::function<std::string(std::string_view command)>;

    FakeEngine(Answers with, std::vector<std::string>& into) : answers(std::move(with)), commands(into) {}

  protected:
    core::Result<std::string> exchange(std::string_view line) override {
        commands.emplace_back(line);
        return answers(line);
    }

  private:
    Answers answers;
    std::vector<std::string>& commands;
};

}  // namespace et::test
