#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

#include <filesystem>
#include <vector>

class QLabel;

namespace et::studio {

/// Start page of the window while nothing is open: recent files, ways to open others, a sample, and tours.
class EmptyPage : public QWidget {
    Q_OBJECT

  public:
    explicit EmptyPage(QWidget* parent = nullptr);

    /// Recently opened sets of files, newest first.
    void setRecent(const QList<QStringList>& sets);
    /// Shows that files are being opened, instead of the ways to open some.
    void setOpening(bool opening);

  signals:
    void openRequested();
    void sampleWanted();
    void tourWanted(std::size_t tour);
    void filesChosen(const std::vector<std::filesystem::path>& files);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QWidget* makeContent();
    void follow(const QString& link);

    QWidget* content = nullptr;
    QLabel* opening;
    QLabel* recent = nullptr;
    QLabel* tourList = nullptr;
    QList<QStringList> recentSets;
};

}  // namespace et::studio
