#include "runtime/kernels/operator_schema.h"

#include "runtime/kernels/builtin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace et::kernels {
namespace {

std::size_t numArguments(const OperatorSchema& schema) {
    const std::string_view declared = schema.arguments.substr(0, schema.arguments.find(" ->"));
    return static_cast<std::size_t>(std::ranges::count(declared, ' ')) + 1;
}

TEST(OperatorSchema, EachOperatorHasARow) {
    for (const KernelEntry* const entry : builtin().all()) {
        const OperatorSchema* const schema = findSchema(entry->name);
        EXPECT_TRUE(schema != nullptr && schema->name == entry->name)
            << entry->name << " has no row in runtime/kernels/schemas";
    }
}

TEST(OperatorSchema, EachRowDescribesTheArgumentsOfAnOperator) {
    for (const auto rows : operatorSchemas()) {
        for (const OperatorSchema& row : rows) {
            const KernelEntry* const entry = builtin().find(row.name);
            ASSERT_NE(entry, nullptr) << row.name << " is not registered";
            const Kernel& kernel = entry->kernel;
            const std::size_t declared = numArguments(row);
            if (kernel.written == 0) {
                EXPECT_EQ(kernel.arguments, declared + 1) << row.name;  // the result is a value
                continue;
            }
            EXPECT_LE(declared, kernel.arguments) << row.name;
            for (std::size_t i = declared; i < kernel.arguments; ++i) {
                EXPECT_NE((kernel.written >> i) & 1U, 0U)
                    << row.name << ": argument " << i << " is not an out";
            }
        }
    }
}

TEST(OperatorSchema, AnUnknownOverloadHasTheSchemaOfTheFirst) {
    EXPECT_EQ(findSchema("aten::cumsum.out")->arguments, "self dim dtype=None");
    EXPECT_EQ(findSchema("aten::cumsum")->name, "aten::cumsum.out");
    EXPECT_EQ(findSchema("aten::cumsum.other_out")->name, "aten::cumsum.out");
    EXPECT_EQ(findSchema("aten::copy.other")->name, "aten::copy.out");
    EXPECT_EQ(findSchema("aten::copy_")->name, "aten::copy_");
    EXPECT_EQ(findSchema("llama::update_cache")->name, "llama::update_cache.out");
    for (const std::string_view unknown : {"", "aten::", "aten::cumsums.out", "my::cumsum.out", "cumsum"}) {
        EXPECT_EQ(findSchema(unknown), nullptr) << unknown;
    }
}

}  // namespace
}  // namespace et::kernels
