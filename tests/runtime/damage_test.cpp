#include "tests/support/damage.h"

#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/program_file.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <optional>

namespace et::program {
namespace {

template <class Reader>
std::optional<core::Error> errorOf(const std::vector<std::byte>& bytes) {
    auto parsed = test::parseBytes<Reader>(bytes);
    return parsed ? std::nullopt : std::optional(std::move(parsed).error());
}

TEST(DamagedProgramTest, OwnFile) {
    test::damageEveryByte(test::writeProgram(test::addProgram()), errorOf<Program>);
}

TEST(DamagedProgramTest, RealFiles) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name : {"programs/add/portable.pte", "programs/add/xnnpack.pte",
                             "programs/cond/plain.pte", "legacy/linear_no_constant_segment.pte"}) {
        SCOPED_TRACE(name);
        test::damageEveryByte(test::readBytes(test::sharedData() / name), errorOf<Program>);
    }
}

TEST(DamagedProgramTest, TruncatedFileWithSegmentsIsRejected) {
    ET_NEEDS_SHARED_DATA();
    auto bytes = test::readBytes(test::sharedData() / "programs/add/xnnpack.pte");
    ASSERT_TRUE(test::parseBytes<Program>(bytes));
    while (!bytes.empty()) {
        bytes.pop_back();
        ASSERT_FALSE(test::parseBytes<Program>(bytes)) << bytes.size();
    }
}

TEST(DamagedTensorDataTest, RealFile) {
    ET_NEEDS_SHARED_DATA();
    test::damageEveryByte(
        test::readBytes(test::sharedData() / "programs/ext_const/portable_named.weights_a.ptd"),
        errorOf<TensorData>);
}

}  // namespace
}  // namespace et::program
