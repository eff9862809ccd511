#include "app/studio/app_icon.h"
#include "app/studio/main_window.h"
#include "runtime/core/mapped_ranges.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QSettings>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

namespace {

constexpr int usageError = 2;  // as et-inspect
constexpr int unreadable = 3;

void describeArguments(QCommandLineParser& parser) {
    parser.setApplicationDescription(
        QStringLiteral("Shows where a PyTorch ExecuTorch model spends its time.\n\n"
                       "Examples:\n  et-studio trace.etdp model.etrecord\n"
                       "  et-studio model.db#perspective=time,panel=events,event=1:4   (a copied link)"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("files"),
        QStringLiteral("Programs, traces (.etdp), ETRecords, debug buffers or sessions, in any order; a name "
                       "may end in a link to a view copied from the window (#perspective=time,…)"),
        QStringLiteral("[files...]"));
}

/// Messages while the application starts.
QStringList& startMessages() {
    static QStringList messages;
    return messages;
}

/// Reports a missing display in one line. Qt prints several and aborts.
void reportDisplay(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message) {
    startMessages().append(message.trimmed());
    if (type == QtFatalMsg) {
        std::fprintf(
            stderr,
            "et-studio: cannot open a window: %s; set DISPLAY or WAYLAND_DISPLAY, or use et-inspect\n",
            qPrintable(startMessages().first().section(u'\n', 0, 0)));
        std::_Exit(unreadable);
    }
}

QStringList argumentsOf(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) {
        arguments.push_back(QFile::decodeName(argv[i]));
    }
    return arguments;
}

}  // namespace

int main(int argc, char** argv) {
    QCoreApplication::setOrganizationName(QStringLiteral("et-inspect"));
    QCoreApplication::setApplicationName(QStringLiteral("et-studio"));
    QCoreApplication::setApplicationVersion(QStringLiteral(ET_VERSION));
    QCommandLineParser parser;
    describeArguments(parser);
    const QStringList arguments = argumentsOf(argc, argv);
    if (!parser.parse(arguments)) {
        std::fprintf(stderr, "et-studio: %s; see 'et-studio --help'\n", qPrintable(parser.errorText()));
        return usageError;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::printf("et-studio %s (Qt %s)\n", ET_VERSION, qVersion());
        return EXIT_SUCCESS;
    }
    if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("help-all"))) {
        const QCoreApplication withoutDisplay(argc, argv);
        parser.process(arguments);  // prints and exits
    }

    // Keeps the window open when a mapped file is truncated; it reports that the file has changed.
    et::core::guardMappedFiles();
    const QtMessageHandler handler = qInstallMessageHandler(reportDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(handler);
    for (const QString& message : std::as_const(startMessages())) {
        std::fprintf(stderr, "%s\n", qPrintable(message));
    }
    QApplication::setWindowIcon(et::studio::appIcon());
    QSettings settings;
    et::studio::MainWindow window(settings);
    std::vector<std::filesystem::path> files;
    for (const QString& file : parser.positionalArguments()) {
        files.emplace_back(QFile::encodeName(file).toStdString());
    }
    window.open(files);
    window.show();
    return QApplication::exec();
}
