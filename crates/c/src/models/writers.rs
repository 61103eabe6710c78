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

/// What such a function returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    Any,
    /// 0 or -1.
    Status,
    /// -1, or a number up to this argument.
    Count(usize),
    /// This argument, or null.
    Same(usize),
}

/// The functions that only write.
pub(crate) fn find(name: &str) -> Option<Model> {
    use Extent::*;
    use Outcome::*;
    let (list, outcome): (&'static [Written], Outcome) = match name {
        "stat" | "lstat" | "fstat" | "stat64" | "lstat64" | "fstat64" | "statfs" | "fstatfs" | "statvfs" | "fstatvfs" | "clock_gettime"
        | "clock_getres" | "getrusage" | "getrlimit" | "getrlimit64" | "tcgetattr" | "getitimer" | "sched_getparam" | "nanosleep" => {
            (&[(1, Pointee)], Status)
        }
        "fgetpos" | "sigpending" | "waitpid" => (&[(1, Pointee)], Any),
        "localtime_r" | "gmtime_r" => (&[(1, Pointee)], Same(1)),
        "__xstat" | "__lxstat" | "__fxstat" | "__xstat64" | "__lxstat64" | "__fxstat64" | "setitimer" | "sigprocmask" => {
            (&[(2, Pointee)], Status)
        }
        "fstatat" | "pthread_sigmask" | "sigtimedwait" => (&[(2, Pointee)], Any),
        "uname" | "sysinfo" | "sigemptyset" | "sigfillset" | "sigaddset" | "sigdelset" => (&[(0, Pointee)], Status),
        "wait" | "times" | "ftime" | "rand_r" => (&[(0, Pointee)], Any),
        "gettimeofday" => (&[(0, Pointee), (1, Pointee)], Status),
        "wait4" => (&[(1, Pointee), (3, Pointee)], Any),
        "wait3" => (&[(0, Pointee), (2, Pointee)], Any),
        "select" => (&[(1, Pointee), (2, Pointee), (3, Pointee), (4, Pointee)], Any),
        "poll" | "ppoll" => (&[(0, Elements(1))], Count(1)),
        "epoll_wait" => (&[(1, Elements(2))], Count(2)),
        "pipe" | "pipe2" => (&[(0, Bytes(8))], Status),
        "socketpair" => (&[(3, Bytes(8))], Status),
        "recv" | "pread" | "pread64" | "readlink" => (&[(1, Argument(2))], Count(2)),
        "strerror_r" | "__xpg_strerror_r" => (&[(1, Argument(2))], Any),
        "readlinkat" => (&[(2, Argument(3))], Count(3)),
        "recvfrom" => (&[(1, Argument(2)), (4, Bytes(16)), (5, Pointee)], Count(2)),
        "accept" => (&[(1, Bytes(16)), (2, Pointee)], Any),
        "getsockname" | "getpeername" => (&[(1, Bytes(16)), (2, Pointee)], Status),
        "getsockopt" => (&[(3, Bytes(4)), (4, Pointee)], Status),
        "getcwd" => (&[(0, Argument(1))], Same(0)),
        "gethostname" | "getdomainname" | "getentropy" => (&[(0, Argument(1))], Status),
        "getrandom" | "strftime" => (&[(0, Argument(1))], Count(1)),
        "getlogin_r" => (&[(0, Argument(1))], Any),
        "getgroups" => (&[(1, Elements(0))], Any),
        "ctime_r" | "asctime_r" => (&[(1, Bytes(26))], Same(1)),
        _ => return None,
    };
    Some(Model::Writes(list, outcome))
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
