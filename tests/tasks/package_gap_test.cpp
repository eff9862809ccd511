// Packages compared with other exports of the same model: no divergence, except where a weight was changed.

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_files.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/gap/graph_twins.h"
#include "runtime/native/package.h"
#include "runtime/native/writer.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::test {
namespace {

namespace fs = std::filesystem;
using tasks::PairedGraph;

/// Names of the nodes of the first operator that diverges; empty if none does. `compared`: number of rows.
std::string divergenceOf(std::vector<fs::path> files, std::size_t& compared, const std::string& method = {},
                         const fs::path& cases = {}) {
    tasks::GapSettings settings;
    settings.model.cases = cases;
    settings.files = std::move(files);
    settings.model.method = method;
    settings.bisect = true;
    const auto placed = tasks::placeFiles(settings);
    EXPECT_TRUE(placed) << placed.error().toString();
    tasks::ProgressReporter watch({}, std::nullopt);
    const auto result = tasks::runGaps(settings, watch);
    if (!result) {
        return result.error().toString();
    }
    compared = 0;
    for (const auto& gap : result->gaps) {
        compared = std::max(compared, gap->rows.size());
        if (gap->firstDivergence) {
            return fmt::format("{}", fmt::join(gap->rows[*gap->firstDivergence].referenceOps, " "));
        }
    }
    return {};
}

/// Methods to compare; an empty one is the only one.
std::vector<std::string> methodsOf(const fs::path& file) {
    return file.filename() == "multi.ptn" ? std::vector<std::string>{"encode", "decode", "both"}
                                          : std::vector<std::string>{""};
}

fs::path twinOf(fs::path file, const char* extension) {
    return file.replace_extension(extension);
}

TEST(PackageGapTest, PackagesAgreeWithTheirOwnGraphs) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("ptn", ".ptn")) {
        if (file.filename().string().contains("opaque")) {
            continue;
        }
        for (const std::string& method : methodsOf(file)) {
            std::size_t compared = 0;
            EXPECT_EQ(divergenceOf({file}, compared, method), "") << file.filename();
            EXPECT_GT(compared, 0U) << file.filename();
        }
    }
}

void compareWithTwin(const fs::path& file, const fs::path& twin) {
    for (const std::string& method : methodsOf(file)) {
        std::size_t compared = 0;
        EXPECT_EQ(divergenceOf({file, twin}, compared, method), "") << file.filename() << " and " << twin;
        EXPECT_GT(compared, 0U) << file.filename() << " and " << twin;
    }
}

TEST(PackageGapTest, PackagesAgreeWithTheirTwins) {
    ET_NEEDS_SHARED_DATA();
    for (const fs::path& file : sharedFiles("ptn", ".ptn")) {
        if (file.filename() == "lost_constant.ptn") {
            continue;
        }
        for (const char* extension : {".twin.etrecord", ".twin.bpte"}) {
            if (fs::exists(twinOf(file, extension))) {
                compareWithTwin(file, twinOf(file, extension));
            }
        }
    }
}

/// Writes the package with the largest element of a tensor negated.
void plant(const fs::path& from, const std::string& key, const fs::path& to) {
    const auto package = native::Package::open(from);
    ASSERT_TRUE(package) << package.error().toString();
    native::TensorContents tensors;
    for (const auto& [name, tensor] : (*package)->tensors.tensors) {
        tensors[name] = {.scalarType = tensor.scalarType,
                         .sizes = tensor.sizes,
                         .data = {tensor.data.begin(), tensor.data.end()}};
    }
    std::vector<float> elements(tensors.at(key).data.size() / sizeof(float));
    std::memcpy(elements.data(), tensors.at(key).data.data(), tensors.at(key).data.size());
    float& largest = *std::ranges::max_element(elements, {}, [](float each) { return std::abs(each); });
    largest = -largest * 3;
    std::memcpy(tensors.at(key).data.data(), elements.data(), tensors.at(key).data.size());
    for (const auto& [alias, owner] : (*package)->aliases) {
        tensors[alias] = tensors.at(owner);
    }
    const auto written = native::writePackage((*package)->program, tensors);
    ASSERT_TRUE(written) << written.error().toString();
    const auto bytes = written->joined();
    std::ofstream(to, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

TEST(PackageGapTest, ChangedWeightIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const fs::path changed = folder.path() / "changed.ptn";
    plant(sharedData() / "ptn" / "mlp.ptn", "2.weight", changed);
    std::size_t compared = 0;
    EXPECT_THAT(divergenceOf({changed, sharedData() / "ptn" / "mlp.twin.etrecord"}, compared),
                testing::HasSubstr("mm"));
}

/// One tensor of each package with a twin and weights.
TEST(PackageGapTest, ChangedWeightOfEachPackageIsNamed) {
    ET_NEEDS_SHARED_DATA();
    struct Planted {
        const char* package;
        const char* key;
        const char* named;
    };
    constexpr auto cases = std::to_array<Planted>(
        {{"cnn_bn", "c2.weight", "aten_convolution_default_1"},
         {"counter", "mean", "aten_sub_tensor"},
         {"dynamic", "c.weight", "aten_convolution_default"},
         {"embed", "l.weight", "aten_addmm_default"},
         {"encoder", "n.1.g.bias", "aten_addmm_default_5"},
         {"hf_llama", "cached.model.model.layers.1.mlp.gate_proj.weight", "aten_mm_default_11"},
         {"llama_kv", "L.0.q.weight", "aten_mm_default"},
         {"lstm", "l.weight_hh_l0", "aten_addmm_default_1"},
         {"multi", "m.n.weight", "aten_native_layer_norm_default"},
         {"quant_affine4", "b.weight.scale", "aten_linear_default_1"},
         {"quant_affine4_zp", "l.bias", "aten_linear_default"},
         {"quant_q4k", "a.bias", "aten_linear_default"}});
    const ScratchFolder folder;
    const fs::path changed = folder.path() / "changed.ptn";
    for (const auto& [package, key, named] : cases) {
        const fs::path file = sharedData() / "ptn" / (std::string(package) + ".ptn");
        plant(file, key, changed);
        const fs::path record = twinOf(file, ".twin.etrecord");
        std::size_t compared = 0;
        EXPECT_THAT(divergenceOf({changed, fs::exists(record) ? record : twinOf(file, ".twin.bpte")},
                                 compared, methodsOf(file).back()),
                    testing::EndsWith(named))
            << package;
    }
}

/// Linear layers of three dimensions, which portable programs compute as products of matrices.
TEST(PackageGapTest, ChangedWeightIsNamedThoughTheTwinComputesMatrices) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const fs::path changed = folder.path() / "changed.ptn";
    plant(sharedData() / "ptn" / "shared_weights.ptn", "head.weight", changed);
    std::size_t compared = 0;
    EXPECT_EQ(divergenceOf({changed, sharedData() / "ptn" / "shared_weights.twin.bpte"}, compared),
              "aten_linear_default_3");
    EXPECT_EQ(divergenceOf({changed, sharedData() / "ptn" / "shared_weights.twin.etrecord"}, compared),
              "aten_mm_default");
}

/// The branch that is taken; both packages start with it.
TEST(PackageGapTest, ChangedWeightOfABranchIsNamed) {
    ET_NEEDS_SHARED_DATA();
    const ScratchFolder folder;
    const fs::path changed = folder.path() / "changed.ptn";
    for (const char* name : {"cond", "cond_between"}) {
        const fs::path file = sharedData() / "ptn" / (std::string(name) + ".ptn");
        plant(file, "l.bias", changed);
        for (const char* extension : {".twin.etrecord", ".twin.bpte"}) {
            std::size_t compared = 0;
            EXPECT_THAT(
                divergenceOf({changed, twinOf(file, extension)}, compared, "", twinOf(file, ".twin.bpte")),
                testing::StartsWith("cond.submodule_0.aten_"))
                << name << extension;
        }
    }
}

TEST(PackageGapTest, OperatorsArePairedThroughOthers) {
    PairedGraph native;
    PairedGraph edge;
    const PairedGraph::Shape matrix{.isTensor = true, .rank = 2, .elements = 16};
    const auto value = [&](PairedGraph& graph) { return graph.add(matrix); };
    const auto x = value(native);
    const auto w = value(native);
    const auto y = value(native);
    const auto z = value(native);
    native.operators = {{.name = "aten.linear.default", .inputs = {x, w}, .outputs = {y}},
                        {.name = "aten.relu.default", .inputs = {y}, .outputs = {z}}};
    const auto a = value(edge);
    const auto b = value(edge);
    const auto turned = value(edge);
    const auto product = value(edge);
    const auto end = value(edge);
    edge.operators = {{.name = "aten::permute_copy.out", .inputs = {b}, .outputs = {turned}},
                      {.name = "aten::mm.out", .inputs = {a, turned}, .outputs = {product}},
                      {.name = "aten::relu.out", .inputs = {product}, .outputs = {end}}};
    const std::vector<std::pair<PairedGraph::Value, PairedGraph::Value>> known{{x, a}, {w, b}};
    const auto pairs = tasks::pairOperators(native, edge, known);
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].second, 1U);
    EXPECT_EQ(pairs[1].second, 2U);
}

}  // namespace
}  // namespace et::test
