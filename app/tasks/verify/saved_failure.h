#pragma once

#include "app/tasks/verify/verify_settings.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace et::tasks {

/// Folder for the files of a case: `folder`, the path of the bundled program, and "METHOD_CASE".
[[nodiscard]] std::filesystem::path savedCaseFolder(const std::filesystem::path& folder,
                                                    const std::filesystem::path& file,
                                                    std::string_view method, std::size_t index);

/// Saves a case below settings.failures, in a folder made of the file's path, the method and the case:
/// input_0.npy, ..., expected_0.npy, ..., actual_0.npy, ... (None has no file), message.txt and reproduce.sh,
/// the command that runs it again. A case that did not run has no actual outputs. Errors: Io, Unsupported (a
/// dtype that NumPy lacks).
[[nodiscard]] core::Result<> saveCase(const std::filesystem::path& file, const VerifySettings& settings,
                                      const bundled_program::CaseReport& done,
                                      const bundled_program::TestCase& testCase, executor::Method& method);

/// Saves message.txt and reproduce.sh for a file whose process died, in the folder of the file's path.
/// Errors: Io.
[[nodiscard]] core::Result<> saveFailure(const std::filesystem::path& file, const VerifySettings& settings,
                                         const bundled_program::FileReport& failed);

}  // namespace et::tasks
