#include "app/studio/app_icon.h"
#include "app/studio/main_window.h"
#include "runtime/core/mapped_ranges.h"

#include <QApplication>
#include <QSettings>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr int usageError = 2;  // as et-inspect

}  // namespace

int main(int argc, char** argv) {
    // Parsed before QApplication, so that --help and --version need no display.
    CLI::App arguments{"et-studio: shows where a PyTorch ExecuTorch model spends its time", "et-studio"};
    std::vector<std::string> files;
    arguments.add_option("files", files,
                         "A trace (.etdp), its ETRecord, its debug buffer: any mix, in any order");
    arguments.set_version_flag("--version", "et-studio " ET_VERSION);
    arguments.footer("Example:\n  et-studio trace.etdp model.etrecord");
    try {
        arguments.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return arguments.exit(problem) == 0 ? 0 : usageError;
    }

    // The window stays when a file is cut off under it; it says that the file has changed.
    et::core::guardMappedFiles();
    QApplication application(argc, argv);
    QApplication::setOrganizationName(QStringLiteral("et-inspect"));
    QApplication::setApplicationName(QStringLiteral("et-studio"));
    QApplication::setApplicationVersion(QStringLiteral(ET_VERSION));
    QApplication::setWindowIcon(et::studio::appIcon());
    QSettings settings;
    et::studio::MainWindow window(settings);
    window.open(std::vector<std::filesystem::path>(files.begin(), files.end()));
    window.show();
    return QApplication::exec();
}
