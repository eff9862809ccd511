#include "tests/studio/gap_panel_fixture.h"

#include "inspector/tensor_files/npy.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <vector>

namespace et::test {

namespace {

std::vector<std::byte> npyOf(std::vector<float> numbers) {
    const std::array<std::int64_t, 2> sizes{2, 3};
    const auto view =
        core::Tensor::make(core::ScalarType::Float, sizes, reinterpret_cast<std::byte*>(numbers.data()));
    return inspector::writeNpy(view.value()).value();
}

}  // namespace

void GapPanelTest::openFaulty() {
    const auto data = sharedData();
    driver.open({data / "broken" / "gap" / "fault_00.pte",
                 data / "programs" / "mobilenet_v2_small" / "xnnpack_q8.etrecord"});
    ASSERT_TRUE(driver.errors().isEmpty()) << driver.errors().first().toStdString();
    driver.enterPanel(QStringLiteral("Operator Errors"));
}

void GapPanelTest::useMadeUpGap(const std::string& gap) {
    const auto answer = folder() / "answer";
    std::filesystem::create_directories(answer / "tensors" / "inputs_1");
    static_cast<void>(write("answer/gap.json", gap));
    // One operator of the second input set.
    static_cast<void>(write("answer/tensors/inputs_1/0001_0_reference.npy", npyOf({0, 1, 2, 3, 4, 5})));
    static_cast<void>(write("answer/tensors/inputs_1/0001_0_runtime.npy", npyOf({0, 1, 2, 3, 4, 9})));
    for (const int row : {0, 1, 2}) {
        const std::string stem = fmt::format("answer/tensors/{:04}_0_", row);
        static_cast<void>(write(stem + "reference.npy", npyOf({0, 1, 2, 3, 4, 5})));
        const float off = row == 1 ? 0.5F : 0;
        static_cast<void>(write(stem + "runtime.npy", npyOf({0, 1, 2 + off, 3, 4, 5})));
    }
    const auto script = write("answering", fmt::format("#!/bin/sh\n"
                                                       "for word in \"$@\"; do case \"$word\" in\n"
                                                       "--output=*) cp {0}/gap.json \"${{word#*=}}\";;\n"
                                                       "--save-tensors=*) cp -r {0}/tensors "
                                                       "\"${{word#*=}}\";;\n"
                                                       "esac; done\nexit 1\n",
                                                       answer.string()));
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    driver.useProgram(script);
    driver.open(runSamplePaths());
    driver.enterPanel(QStringLiteral("Operator Errors"));
}

int GapPanelTest::pixelsAt(QWidget& widget, const QPointF& place, QRgb colour) {
    const QImage picture = widget.grab().toImage();
    int count = 0;
    constexpr int reach = 5;
    for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
            const QPoint at = place.toPoint() + QPoint(x, y);
            if (!picture.rect().contains(at)) {
                continue;
            }
            const QRgb pixel = picture.pixel(at);
            const int apart = std::abs(qRed(pixel) - qRed(colour)) +
                              std::abs(qGreen(pixel) - qGreen(colour)) +
                              std::abs(qBlue(pixel) - qBlue(colour));
            count += apart < 40 ? 1 : 0;
        }
    }
    return count;
}

}  // namespace et::test
