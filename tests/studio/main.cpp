#include <QApplication>
#include <QTemporaryDir>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QTemporaryDir configuration;  // keeps test targets apart from the user's
    qputenv("XDG_CONFIG_HOME", configuration.path().toUtf8());
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);  // tests cannot type into native dialogs
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));  // identical pixels and margins on every desktop
    return RUN_ALL_TESTS();
}
