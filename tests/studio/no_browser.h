#pragma once

#include <QDesktopServices>
#include <QObject>
#include <QStringList>
#include <QUrl>

namespace et::test {

/// Intercepts URLs that would start another program.
class NoBrowser : public QObject {
    Q_OBJECT

  public:
    NoBrowser() {
        for (const QString& scheme : schemes) {
            QDesktopServices::setUrlHandler(scheme, this, "take");
        }
    }
    ~NoBrowser() override {
        for (const QString& scheme : schemes) {
            QDesktopServices::unsetUrlHandler(scheme);
        }
    }
    Q_SLOT void take(const QUrl& url) { lastUrl = url; }
    [[nodiscard]] const QUrl& last() const { return lastUrl; }

  private:
    QUrl lastUrl;
    QStringList schemes{QStringLiteral("file"), QStringLiteral("http"), QStringLiteral("https")};
};

}  // namespace et::test
