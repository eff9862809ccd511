#pragma once

#include "bundled_program/bundle.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::bundled_program {

/// The bytes of a bundled program (.bpte) that Bundle::parse() reads back: a program and its test cases, in
/// the reader's own words. The same content gives the same bytes. Errors: InvalidArgument (no program, a
/// tensor whose size does not fit 32 bits or whose data do not fill it), Limit (more than 1 GiB in all).
[[nodiscard]] core::Result<std::vector<std::byte>> writeBundle(core::Bytes program,
                                                               std::span<const TestSuite> suites);

}  // namespace et::bundled_program
