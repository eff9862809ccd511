#include "app/tasks/verify/saved_failure.h"

#include "app/devices/target.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/tensor_file.h"
#include "runtime/core/element_types.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <system_error>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::Result;
using core::Tensor;

/// A unique folder for every file, however it was named: "../a/b.bpte" becomes "up/a/b.bpte".
fs::path folderOf(const fs::path& file, fs::path folder) {
    for (const fs::path& part : file.lexically_normal().relative_path()) {
        folder /= part == ".." ? fs::path("up") : part;
    }
    return folder;
}

/// Writes a number as an array without dimensions.
template <class T>
Result<> writeNumber(T number, const fs::path& path) {
    return writeTensor(Tensor::over(&number, {}), path);
}

Result<> writeValue(const BundledValue& value, const fs::path& path) {
    return std::visit(
        [&]<class T>(const T& content) -> Result<> {
            if constexpr (std::is_same_v<T, BundledTensor>) {
                ET_ASSIGN(const Tensor tensor, bundled_program::tensorOver(content));
                return writeTensor(tensor, path);
            } else if constexpr (std::is_same_v<T, std::monostate>) {
                return {};
            } else {
                return writeNumber(content, path);
            }
        },
        value);
}

Result<> writeValue(const core::Value& value, const fs::path& path) {
    if (const auto* tensor = value.as<Tensor>()) {
        return writeTensor(*tensor, path);
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return writeNumber(*number, path);
    }
    if (const auto* real = value.as<double>()) {
        return writeNumber(*real, path);
    }
    if (const auto* truth = value.as<bool>()) {
        return writeNumber(*truth, path);
    }
    return {};
}

Result<> writeValues(const std::vector<BundledValue>& values, const fs::path& folder, std::string_view name) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        ET_TRY(writeValue(values[i], folder / fmt::format("{}_{}.npy", name, i)));
    }
    return {};
}

Result<> writeTexts(const fs::path& file, const VerifySettings& settings, std::string_view message,
                    const fs::path& folder) {
    std::error_code unknown;
    const fs::path absolute = fs::absolute(file, unknown);
    std::string script = "#!/bin/sh\nexec et-inspect verify";
    const CommandArguments given = arguments(settings, PathStyle::Absolute);
    for (const std::string& argument : given.options) {
        script += " " + devices::shellWord(argument);
    }
    script += fmt::format(" -- {}\n", devices::shellWord((unknown ? file : absolute).string()));
    ET_TRY(writeFile(folder / "reproduce.sh", producerOf(script)));
    return writeFile(folder / "message.txt", producerOf(fmt::format("{}\n", message)));
}

}  // namespace

fs::path savedCaseFolder(const fs::path& folder, const fs::path& file, std::string_view method,
                         std::size_t index) {
    return folderOf(file, folder) / fmt::format("{}_{}", method, index);
}

Result<> saveCase(const fs::path& file, const VerifySettings& settings,
                  const bundled_program::CaseReport& done, const bundled_program::TestCase& testCase,
                  executor::Method& method) {
    const fs::path folder = savedCaseFolder(settings.failures, file, done.method, done.index);
    ET_TRY(makeFolder(folder));
    VerifySettings alone = settings;
    alone.cases.methods = {done.method};
    alone.cases.testCase = done.index;
    ET_TRY(writeTexts(file, alone, done.message, folder));
    ET_TRY(writeValues(testCase.inputs, folder, "input"));
    ET_TRY(writeValues(testCase.expectedOutputs, folder, "expected"));
    const bool ran = done.verdict != bundled_program::Verdict::Error;
    for (std::size_t i = 0; ran && i < method.outputCount(); ++i) {
        ET_TRY(writeValue(method.output(i), folder / fmt::format("actual_{}.npy", i)));
    }
    return {};
}

Result<> saveFailure(const fs::path& file, const VerifySettings& settings,
                     const bundled_program::FileReport& failed) {
    const fs::path folder = folderOf(file, settings.failures);
    ET_TRY(makeFolder(folder));
    return writeTexts(file, settings, failed.message, folder);
}

}  // namespace et::tasks
