//! Functions of the system that write through their arguments: what each of them writes may be anything afterwards.

use super::Model;

/// How much is written through an argument. An argument that is null is not written through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// What the argument's type points to.
    Pointee,
    /// This many bytes.
    Bytes(u64),
    /// As many bytes as this argument says.
    Argument(usize),
    /// As many elements of the type that is pointed to as this argument says.
    Elements(usize),
}

/// An argument by its place, and how much is written through it.
pub(crate) type Written = (usize, Extent);

/// The functions that only write, with any result.
pub(crate) fn find(name: &str) -> Option<Model> {
    use Extent::*;
    let list: &'static [Written] = match name {
        "stat" | "lstat" | "fstat" | "stat64" | "lstat64" | "fstat64" | "statfs" | "fstatfs" | "statvfs" | "fstatvfs" | "clock_gettime"
        | "clock_getres" | "getrusage" | "getrlimit" | "getrlimit64" | "tcgetattr" | "getitimer" | "fgetpos" | "sigpending"
        | "getpriority" | "sched_getparam" | "waitpid" | "localtime_r" | "gmtime_r" | "nanosleep" => &[(1, Pointee)],
        "__xstat" | "__lxstat" | "__fxstat" | "__xstat64" | "__lxstat64" | "__fxstat64" | "fstatat" | "setitimer" | "sigprocmask"
        | "pthread_sigmask" | "sigtimedwait" => &[(2, Pointee)],
        "wait" | "times" | "uname" | "sysinfo" | "sigemptyset" | "sigfillset" | "sigaddset" | "sigdelset" | "ftime" => &[(0, Pointee)],
        "gettimeofday" => &[(0, Pointee), (1, Pointee)],
        "wait4" => &[(1, Pointee), (3, Pointee)],
        "wait3" => &[(0, Pointee), (2, Pointee)],
        "select" => &[(1, Pointee), (2, Pointee), (3, Pointee), (4, Pointee)],
        "poll" | "ppoll" => &[(0, Elements(1))],
        "epoll_wait" => &[(1, Elements(2))],
        "pipe" | "pipe2" => &[(0, Bytes(8))],
        "socketpair" => &[(3, Bytes(8))],
        "recv" | "pread" | "pread64" | "readlink" | "strerror_r" | "__xpg_strerror_r" => &[(1, Argument(2))],
        "readlinkat" => &[(2, Argument(3))],
        "recvfrom" => &[(1, Argument(2)), (4, Bytes(16)), (5, Pointee)],
        "accept" | "getsockname" | "getpeername" => &[(1, Bytes(16)), (2, Pointee)],
        "getsockopt" => &[(3, Bytes(4)), (4, Pointee)],
        "getcwd" | "gethostname" | "getdomainname" | "getentropy" | "getrandom" | "strftime" | "getlogin_r" => &[(0, Argument(1))],
        "getgroups" => &[(1, Elements(0))],
        "ctime_r" | "asctime_r" => &[(1, Bytes(26))],
        "pthread_getschedparam" => &[(1, Pointee), (2, Pointee)],
        "rand_r" => &[(0, Pointee)],
        _ => return None,
    };
    Some(Model::Writes(list))
}

/// Functions of the library that write memory in ways that are not modelled.
pub(crate) fn is_unmodelled(name: &str) -> bool {
    matches!(
        name,
        "getline"
            | "getdelim"
            | "__getdelim"
            | "asprintf"
            | "vasprintf"
            | "gets"
            | "frexpf"
            | "frexpl"
            | "remquo"
            | "remquof"
            | "remquol"
            | "sincosf"
            | "sincosl"
            | "vscanf"
            | "vfscanf"
            | "vsscanf"
            | "__isoc99_vscanf"
            | "__isoc99_vfscanf"
            | "__isoc99_vsscanf"
            | "ioctl"
            | "readv"
            | "recvmsg"
            | "preadv"
            | "realpath"
            | "getaddrinfo"
            | "regcomp"
            | "regexec"
            | "glob"
            | "wordexp"
            | "scandir"
            | "readdir_r"
            | "getpwnam_r"
            | "getpwuid_r"
            | "getgrnam_r"
            | "getgrgid_r"
            | "gethostbyname_r"
            | "iconv"
            | "inet_pton"
            | "inet_ntop"
            | "inet_aton"
            | "strxfrm"
            | "wcscpy"
            | "wcsncpy"
            | "wcscat"
            | "wcsncat"
            | "wmemcpy"
            | "wmemmove"
            | "wmemset"
            | "vswprintf"
            | "mbstowcs"
            | "wcstombs"
            | "mbtowc"
            | "wctomb"
            | "mbrtowc"
            | "wcrtomb"
            | "fgetws"
            | "wcstol"
            | "wcstoul"
            | "wcstod"
            | "swab"
            | "lsearch"
            | "tsearch"
            | "hsearch"
            | "qsort_r"
            | "obstack_free"
            | "mmap"
            | "munmap"
            | "swapcontext"
            | "makecontext"
            | "setcontext"
            | "getcontext"
            | "sigaltstack"
            | "initstate"
            | "setstate"
    )
}

/// Functions of the library whose results are determined by C but not computed here: nobody may choose them.
pub(crate) fn is_determined(name: &str) -> bool {
    matches!(
        name,
        "div"
            | "ldiv"
            | "lldiv"
            | "imaxdiv"
            | "mktime"
            | "timegm"
            | "difftime"
            | "strcoll"
            | "wcslen"
            | "wcscmp"
            | "wcsncmp"
            | "wcschr"
            | "mblen"
            | "btowc"
            | "wctob"
            | "iswalpha"
            | "iswdigit"
            | "iswspace"
            | "towlower"
            | "towupper"
            | "fegetround"
            | "toascii"
            | "isascii"
            | "a64l"
            | "l64a"
            | "basename"
            | "dirname"
            | "memmem"
            | "strcasestr"
            | "strverscmp"
            | "inet_addr"
            | "atoq"
            | "strerror"
            | "strsignal"
            | "localeconv"
    )
}
