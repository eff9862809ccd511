#pragma once

#include "app/cli/verify/verify_settings.h"
#include "bundled_program/verify.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <filesystem>

namespace et::cli {

/// Puts a case that did not pass below settings.failures, in a folder of the file's path, the method and the
/// case: input_0.npy, ..., expected_0.npy, ..., actual_0.npy, ... (None has no file), message.txt and
/// reproduce.sh, the command that runs it again. A case that did not run has no actual outputs. Errors: Io,
/// Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<> saveFailure(const std::filesystem::path& file, const VerifySettings& settings,
                                         const bundled_program::CaseReport& failed,
                                         const bundled_program::TestCase& testCase, executor::Method& method);

/// What can be saved of a file whose process died: message.txt and reproduce.sh, in the folder of the file's
/// path. Errors: Io.
[[nodiscard]] core::Result<> saveFailure(const std::filesystem::path& file, const VerifySettings& settings,
                                         const bundled_program::FileReport& failed);

}  // namespace et::cli
