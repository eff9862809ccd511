#include "runtime/kernels/registry.h"

#include "runtime/kernels/builtin.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace et::kernels {
namespace {

TEST(KernelRegistry, FindsOnlyBuiltInKernels) {
    EXPECT_EQ(KernelRegistry().find("aten::add.out"), nullptr);
    const KernelRegistry& all = builtin();
    std::set<std::string_view> names;
    for (const KernelEntry* const entry : all.all()) {
        EXPECT_EQ(all.find(entry->name), entry);
        EXPECT_TRUE(names.insert(entry->name).second) << entry->name;
        EXPECT_EQ(all.find(std::string(entry->name) + "x"), nullptr);
    }
    EXPECT_GT(names.size(), 100U);
    EXPECT_EQ(all.find(""), nullptr);
}

TEST(KernelRegistry, LaterRegistrationsOverrideEarlierOnes) {
    // More than the initial capacity, so that the index grows.
    std::vector<std::string> names;
    for (int i = 0; i < 3000; ++i) {
        names.push_back("my::operator_" + std::to_string(i) + ".out");
    }
    std::vector<KernelEntry> first;
    std::vector<KernelEntry> second;
    for (const std::string& name : names) {
        first.push_back({.name = name, .kernel = {}});
        second.push_back({.name = name, .kernel = {}});
    }
    KernelRegistry registry = builtin();
    const std::size_t before = registry.all().size();
    for (const KernelEntry& entry : first) {
        registry.add({&entry, 1});
    }
    KernelRegistry copy = registry;
    copy.add(second);
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(registry.find(names[i]), &first[i]);
        EXPECT_EQ(copy.find(names[i]), &second[i]);
    }
    EXPECT_EQ(copy.all().size(), before + names.size());
    EXPECT_EQ(copy.find("aten::add.out"), builtin().find("aten::add.out"));
}

}  // namespace
}  // namespace et::kernels
