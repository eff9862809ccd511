#include "tests/studio/bundles.h"

#include "app/samples/sample_set.h"
#include "bundled_program/writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <string_view>
#include <variant>

namespace et::test {

namespace {

using bundled_program::BundledTensor;
using bundled_program::TestCase;

/// The sample's bundle contains what this machine computes for its inputs.
std::shared_ptr<const bundled_program::Bundle> sampleBundle() {
    auto files = samples::makeSampleSet("conv_net");
    EXPECT_TRUE(files) << files.error().toString();
    const auto file = std::ranges::find_if(
        *files, [](const samples::SampleFile& each) { return each.name.ends_with(".bpte"); });
    auto bundle = bundled_program::Bundle::parse(core::MappedFile::fromMemory(std::move(file->bytes)));
    EXPECT_TRUE(bundle) << bundle.error().toString();
    return *bundle;
}

void setElement(std::vector<std::byte>& data, std::size_t place, float value) {
    std::memcpy(data.data() + place * sizeof value, &value, sizeof value);
}

std::vector<std::byte> expectedData(core::Bytes right, Expectation wanted) {
    std::vector<std::byte> data(right.begin(), right.end());
    if (wanted == Expectation::Wrong) {
        float value = 0;
        std::memcpy(&value, data.data() + wrongElement * sizeof value, sizeof value);
        setElement(data, wrongElement, value + 0.5F);
    } else if (wanted == Expectation::NotFinite) {
        setElement(data, 1, std::numeric_limits<float>::quiet_NaN());
        setElement(data, 2, std::numeric_limits<float>::infinity());
    }
    return data;
}

}  // namespace

std::vector<std::byte> makeBundle(const std::vector<Expectation>& cases) {
    const auto sample = sampleBundle();
    const TestCase& given = sample->suites.front().cases.front();
    const auto& right = std::get<BundledTensor>(given.expectedOutputs.front());
    std::vector<std::vector<std::byte>> data;
    bundled_program::TestSuite suite{.method = sample->suites.front().method, .cases = {}};
    for (const Expectation wanted : cases) {
        data.push_back(expectedData(right.data, wanted));
    }
    for (const std::vector<std::byte>& each : data) {
        BundledTensor tensor = right;
        tensor.data = each;
        suite.cases.push_back({.inputs = given.inputs, .expectedOutputs = {tensor}});
    }
    auto bytes = bundled_program::writeBundle(sample->program, std::vector{suite});
    EXPECT_TRUE(bytes) << bytes.error().toString();
    return *std::move(bytes);
}

}  // namespace et::test
