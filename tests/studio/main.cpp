#include <QApplication>
#include <QTemporaryDir>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QTemporaryDir configuration;  // targets are kept there, and not among those of the user
    qputenv("XDG_CONFIG_HOME", configuration.path().toUtf8());
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);  // tests cannot type into dialogs of the desktop
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));  // the same pixels and margins on every desktop
    return RUN_ALL_TESTS();
}
