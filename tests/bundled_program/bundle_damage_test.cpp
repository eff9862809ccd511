#include "bundled_program/bundle.h"
#include "runtime/program/program.h"
#include "tests/support/damage.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <optional>

namespace et::bundled_program {
namespace {

/// Returns the error of the bundle, or of the program in it.
std::optional<core::Error> errorOf(const std::vector<std::byte>& bytes) {
    const auto program = test::parseBytes<Bundle>(bytes).and_then(
        [](const auto& bundle) { return program::Program::parse(bundle->file, bundle->program); });
    return program ? std::nullopt : std::optional(program.error());
}

TEST(DamagedBundleTest, OwnFile) {
    test::damageEveryByte(
        test::writeBundle(
            {.suites = {{"forward", {{.inputs = {test::BundledTensorSpec{}}, .outputs = {true}}}}},
             .program = test::writeProgram(test::addProgram())}),
        errorOf);
}

TEST(DamagedBundleTest, RealFiles) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name : {"programs/add/xnnpack.bpte", "legacy/bundled_program.bpte"}) {
        SCOPED_TRACE(name);
        test::damageEveryByte(test::readBytes(test::sharedData() / name), errorOf);
    }
}

}  // namespace
}  // namespace et::bundled_program
