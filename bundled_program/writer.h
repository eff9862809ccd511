#pragma once

#include "bundled_program/bundle.h"
#include "runtime/core/file_content.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::bundled_program {

/// Makes a bundled program (.bpte) that Bundle::parse() reads back: a program and its test cases. Output is
/// deterministic. Errors: InvalidArgument (no program, a tensor whose size exceeds 32 bits or whose data do
/// not fill it), Limit (total over 1 GiB). The file borrows the bytes of `program`.
[[nodiscard]] core::Result<core::FileContent> bundleFile(const core::FileContent& program,
                                                         std::span<const TestSuite> suites);
/// The same file in one vector.
[[nodiscard]] core::Result<std::vector<std::byte>> writeBundle(core::Bytes program,
                                                               std::span<const TestSuite> suites);

}  // namespace et::bundled_program
