#pragma once

#include "app/tasks/model/model_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Argument list with option and value in one argument, so that a value may begin with a dash.
struct ArgumentList {
    template <class T>
    void add(std::string_view option, const T& value) {
        argv.push_back(fmt::format("{}={}", option, value));
    }
    void add(std::string_view option, const std::filesystem::path& path) { add(option, path.string()); }
    template <class T>
    void addAll(std::string_view option, const std::vector<T>& values) {
        for (const T& value : values) {
            add(option, value);
        }
    }
    template <class T>
    void addIf(std::string_view option, const std::optional<T>& value) {
        if (value) {
            add(option, *value);
        }
    }

    std::vector<std::string> argv;
};

/// Adds the options of `model` except its method, inputs, device log and timeout; the waiting process
/// enforces the timeout. `sandbox`: the command's default mode.
void addModelArguments(ArgumentList& list, const ModelOptions& model, SandboxMode sandbox);

}  // namespace et::tasks
