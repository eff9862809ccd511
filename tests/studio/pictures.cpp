#include "tests/studio/pictures.h"

#include "app/studio/appearance.h"
#include "tests/studio/settled.h"

#include <QImage>
#include <QPixmap>
#include <QTest>

#include <gtest/gtest.h>

#include <filesystem>

namespace et::test {

namespace {

constexpr std::uintmax_t maxBytes = 320 * 1024;

void takePicture(studio::MainWindow& window, const std::filesystem::path& file) {
    ASSERT_TRUE(settle(window));
    const QImage picture = window.grab().toImage().convertToFormat(QImage::Format_RGB888);
    ASSERT_TRUE(picture.save(QString::fromStdString(file.string()), "PNG", 0));
    EXPECT_LT(std::filesystem::file_size(file), maxBytes) << file;
}

}  // namespace

void takePictures(WindowDriver& driver, const std::string& name) {
    const bool forDocs = qEnvironmentVariable("ET_UPDATE_SCREENSHOTS") == QStringLiteral("1");
    const std::filesystem::path folder(forDocs ? ET_SCREENSHOT_DOCS_DIR : ET_SCREENSHOT_BUILD_DIR);
    std::filesystem::create_directories(folder);
    studio::apply(studio::Appearance::Dark);
    takePicture(driver.window(), folder / (name + "_dark.png"));
    studio::apply(studio::Appearance::Light);
    takePicture(driver.window(), folder / (name + ".png"));
}

}  // namespace et::test
